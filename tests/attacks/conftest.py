"""One class of attackers and honest neighbours, graded once for all attack tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "engine"))
