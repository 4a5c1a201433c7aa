"""What a reader practises: a quiz with endless variants, a sheet to print, a chart to make.

Example:
    >>> from exercises.bank import variant
    >>> question = variant(4, seed=0)
    >>> question.parts[0].prompt, question.parts[0].expected
    ('Press the blocks that D takes, in order.', (2, 6))

`seeds` (a seed to numbers) -> `questions` (each runs the rules of `pagedkv`, and knows the usual mistakes) ->
`bank` (a question by number and seed) -> `quiz` and `sheet` (commands in, frames out) -> the page. And
`portfolio` answers for the chart of admitted requests. All of it runs in the browser and needs no NumPy.

What this does not do: decide what memory does. Every right answer is what the rules did when they were run.
"""
