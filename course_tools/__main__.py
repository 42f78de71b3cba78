"""`python -m course_tools COMMAND …`, what the launcher `course` starts."""

import sys

from course_tools.cli.command_line import main

sys.exit(main())
