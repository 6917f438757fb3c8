"""Level 4: document, history, jobs, store, render, tools, command line and window."""
