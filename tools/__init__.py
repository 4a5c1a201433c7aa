"""What builds and checks the project: the environment, the browser, the static server.

Nothing in here is part of `pagedkv` or of the site. The modules need only the standard library, so that
`python3 -m tools.environment` works before anything is installed.
"""
