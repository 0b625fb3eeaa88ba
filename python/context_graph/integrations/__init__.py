"""Adapters for agent frameworks, each imported on demand: `langchain`, `llamaindex`, `openai_agents`."""
