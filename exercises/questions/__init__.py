"""The five questions, a module each: `make(seed)` returns a variant, and seed 0 the lesson's own.

Each states a situation, runs the rules of `pagedkv` on it for the right answers, and runs wrong rules for the
usual mistakes. What is drawn from a seed is drawn again until the mistakes differ from the right answer.
"""
