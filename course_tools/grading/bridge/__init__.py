"""What crosses between judge and student, and how."""
