"""Commands that bring memories in and out: folders, exports, hooks and transcripts."""
