"""Games of one seed under two sets of rules: how they are played, what is compared of them, and which do not count."""
