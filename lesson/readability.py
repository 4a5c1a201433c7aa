"""How hard a text is to read: the Flesch-Kincaid grade, in years of school in the United States.

Example:
    >>> grade("The cat sat on the mat. The dog lay in the sun.")
    -1.4
    >>> grade("Fragmentation considerably complicates administrative responsibilities everywhere.") > 20
    True

Source: Kincaid and others 1975, Navy research report 8-75:
0.39 x words per sentence + 11.8 x syllables per word - 15.59. Syllables are counted by rule of thumb, groups
of vowels, so a score is right to about half a year. A number is taken for one short word.
"""

import re

_MARKUP = re.compile(r"<[^>]*>|\{:[^}]*\}|\]\([^)]*\)|`[^`]*`")
_WORD = re.compile(r"\w[\w.,'’-]*")
# A paragraph, a heading or an item of a list ends a sentence even where no full stop does.
_SENTENCE_END = re.compile(r"[.!?]+[”)*]*(?=\s|$)|\n\s*\n|\n(?=[-*#]|\d+\. )")
# Cells of a table and headings are no sentences.
_NO_SENTENCE = re.compile(r"^(\||#).*$|^\d+\. ", re.MULTILINE)


def words_of(text: str) -> list[str]:
    """Return the words of a text with markup.

    >>> words_of("A <b>block</b> of [16 slots](x.md).")
    ['A', 'block', 'of', '16', 'slots']
    """
    return [word.rstrip(".,'’-") for word in _WORD.findall(_MARKUP.sub(" ", text))]


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade of a text with markup, with one decimal; 0 for no words."""
    plain = re.sub(r"<[^>]*>|\{:[^}]*\}|\]\([^)]*\)", "", _NO_SENTENCE.sub("\n\n", text))
    sentences = [words for piece in _SENTENCE_END.split(plain) if (words := words_of(piece))]
    words = [word for sentence in sentences for word in sentence]
    if not words:
        return 0.0
    per_sentence = len(words) / len(sentences)
    per_word = sum(map(syllables, words)) / len(words)
    return round(0.39 * per_sentence + 11.8 * per_word - 15.59, 1)


def syllables(word: str) -> int:
    """Return about how many syllables a word has.

    >>> [syllables(word) for word in ("block", "pages", "notes", "memory", "reserved", "earlier", "131,072")]
    [1, 2, 1, 3, 2, 3, 1]
    """
    letters = re.sub(r"[^a-z]", "", word.lower())
    # A silent e, and the -es and -ed that add no sound, as in notes and used; not as in pages and handed.
    letters = re.sub(r"(?<=[^aeiouylscxzgh])es$|(?<=[^aeiouyl])e$|(?<=[^aeiouytd])ed$", "", letters)
    # Vowels that meet and stay apart, as in earlier and idea.
    letters = re.sub(r"(?<=i)(?=er|a|o(?!n|u))|(?<=e)(?=o)", "-", letters).replace("dea", "de-a")
    return max(1, len(re.findall(r"[aeiouy]+", letters)))
