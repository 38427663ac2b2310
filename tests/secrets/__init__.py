"""Non-interference: what a seat cannot know changes nothing that it is shown, in random small programs with secrets."""
