"""The student's side: runs cells, answers the judge."""
