"""Warm processes that fork."""
