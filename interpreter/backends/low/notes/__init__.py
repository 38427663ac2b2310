"""Notes that reports of many games read: answers, places of cards, watched values and results, noted while games
run."""
