"""Memories as a folder of Markdown that people read, edit and link, as in Obsidian."""
