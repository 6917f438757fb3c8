"""Run the command line as `python -m editor.cli`."""

import sys

from editor.cli import main

sys.exit(main())
