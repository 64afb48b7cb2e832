"""Plans from the wording of a question, without a model."""
