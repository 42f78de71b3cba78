"""What a student's process is shut into."""
