"""What a seat may see, and what it may imagine of the rest."""
