"""A run as a page to read: `report.html`, which is one offline file, and its twins in Markdown and JSON."""
