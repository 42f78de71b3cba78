"""The instructor's side: runs tests, asks the student's process, gives verdicts."""
