"""Every speed that the project claims, as a command that prints it beside what it is measured against.

`python -m benchmarks` runs all topics, `python -m benchmarks appends` some; both write `build/bench.json`.
"""
