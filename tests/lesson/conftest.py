"""The site, built once: from the real sources, with the real widget, into a folder of its own."""

from pathlib import Path

import pytest

from exercises.page import fragment as exercise_fragment
from lesson.exercises import Exercise
from lesson.helpers import Widget
from lesson.site import build
from tests.lesson.reader import Element, elements_of
from widget.page import App, fragment

APP = App(digest="0123456789ab", bytes=1)


@pytest.fixture(scope="session")
def widget() -> Widget:
    return lambda base, link: fragment(base, APP, link)


@pytest.fixture(scope="session")
def exercise() -> Exercise:
    return lambda name, base: exercise_fragment(name, base, APP)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, widget: Widget, exercise: Exercise) -> Path:
    folder = tmp_path_factory.mktemp("lesson")
    build(folder / "site", folder / "scratch", widget=widget, exercise=exercise)
    return folder / "site"


@pytest.fixture(scope="session")
def elements(site: Path) -> list[Element]:
    return elements_of((site / "index.html").read_text(encoding="utf-8"))
