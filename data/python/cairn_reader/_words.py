"""Words of names, as terms contain them."""

from __future__ import annotations

import re
import unicodedata
from typing import List, Optional

PLAIN = str.maketrans({
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n",
    "ŧ": "t", "ĸ": "k", "ſ": "s", "ς": "σ"})  # fmt: skip
ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"
)


def words_of(text: str) -> List[str]:
    """Words of a text without case and accents, each once, cut to 40 letters. Text without spaces, as Chinese, is one word."""
    folded = ACCENTS.sub("", ACCENTS.sub("", unicodedata.normalize("NFKD", text)).lower()).translate(PLAIN)
    words: List[str] = []
    before = None
    for letter in unicodedata.normalize("NFC", folded):
        now = kind_of(letter, before)
        if now and now == before:
            words[-1] += letter
        elif now:
            words.append(letter)
        before = now
    return list(dict.fromkeys(word[:40] for word in words))


def kind_of(letter: str, before: Optional[str]) -> Optional[str]:
    """Whether a character belongs to a word with or without spaces around it. None for a character between words."""
    if is_unspaced(letter):
        return "unspaced"
    category = unicodedata.category(letter)[0]
    if category not in "LNM":
        return None
    return "unspaced" if category == "M" and before == "unspaced" else "spaced"


UNSPACED = (
    *("CJK UNIFIED", "CJK COMPAT", "CJK RADICAL", "HANGZHOU", "OLD CHINESE", "VIETNAMESE ALTERNATE", "HIRAGANA"),
    *("HENTAIGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"),
)  # fmt: skip


def is_unspaced(letter: str) -> bool:
    """Whether the character is of a script without spaces: Han, kana, Thai, Lao, Khmer or Myanmar."""
    return letter in "々〆ー〇〻" or letter not in "฿゠・" and unicodedata.name(letter, "").startswith(UNSPACED)
