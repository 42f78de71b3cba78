"""What one types, and what makes it start."""
