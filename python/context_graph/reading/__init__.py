"""What can be read off a memory or a question by itself: names, speakers, dates, what is asked for."""
