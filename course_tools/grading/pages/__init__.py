"""What students get to read: feedback pages without anything that runs."""
