"""The lesson: pages written in Markdown, filled in from what `pagedkv` computed, and made into a static site.

    from lesson.site import build
    build(output=Path("dist"), scratch=Path("build"), widget=lambda base, link: fragment(base, app, link))

A page holds words and calls, such as `{{ num("capacity.paged.requests") }}`; `lesson.helpers` answers them.
A call that asks for something that is not there stops the build and names the page and the line.

What this does not do: compute a number or draw a picture. Those are `pagedkv` and `figures`.
"""
