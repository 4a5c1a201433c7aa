"""The KV calculator as a page: what a reader chose (`choice`), its link, and its markup (`view`).

`exercises.calculator` has the class that answers the page.
"""
