"""The app around the model: a session that turns commands into frames, and the page that shows them.

`session` (what a reader did) -> `view` (markup of each region) -> `page` (the first picture, made by the
build) and `browser/` (patches regions and forwards presses). `runtime` fetches the browser's Python.
"""
