"""Evidence that gives orders: text in a packed chunk that reads as an instruction to the model."""

from __future__ import annotations

import re
import unicodedata

from ctxpack.findings.case import Case, basis
from ctxpack.findings.finding import Finding

_START = r"(?:^|[.!?:;,\"'*>()\[\]\n—–-]|\b(?:and|then|please|now|und|bitte|et|y))\s*"
_MODEL = r"(?:[\w'’-]+ ){0,4}"

PATTERNS: dict[str, tuple[str, ...]] = {
    "English": (
        r"\b(?:ignore|disregard|forget|override) (?:(?:all|any|of|the|your|my|these) ){0,4}"
        r"(?:previous|prior|above|earlier|preceding|existing|other) (?:\w+ )?"
        r"(?:instruction|prompt|rule|direction|directive|guideline)s?\b",
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|you were told)\b",
        _START + r"(?P<quote>(?:reply|respond|answer) (?:(?:only|just) with|with only)\b)",
        rf"\byou are now {_MODEL}(?:assistant|ai|model|bot|chatbot|dan|(?:\w+ )?mode)\b",
        r"\b(?:reveal|print|repeat|output|show|leak)(?: me)? (?:your|the) (?:\w+ )?system prompt",
        r"\b(?:new|updated) system prompt ?:",
    ),
    "German": (
        r"\b(?:ignorier\w*|missacht\w*|vergiss|vergesst|vergessen) (?:(?:sie|bitte) ){0,2}"
        r"(?:(?:alle|die|deine|ihre|sämtliche) ){0,3}(?:bisherig|vorherig|vorig|obig|früher|"
        r"vorangegangen|vorhergehend)en (?:anweisung|instruktion|befehl|vorgabe|prompt|regel)\w*",
        _START + r"(?P<quote>antworten?(?: sie)? (?:nur|ausschliesslich|lediglich)(?: noch)? mit )",
        r"\b(?:du bist|sie sind) (?:ab )?(?:jetzt|nun|sofort) "
        rf"{_MODEL}(?:assistent|ki|modell|bot|chatbot|\w*modus)\b",
        r"\b(?:zeige?|verrate?|wiederhole?)(?: mir)? (?:deinen|den|ihren) system-?prompt",
    ),
    "French": (
        r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte de) (?:(?:toutes|tous|les|des|"
        r"tes|vos) ){0,3}(?:instruction|consigne|directive|ordre)s? (?:précédente?s?|"
        r"antérieure?s?|ci-dessus)",
        _START + r"(?P<quote>répond(?:s|ez) (?:uniquement|seulement|exclusivement) (?:par|avec)\b)",
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais) "
        rf"{_MODEL}(?:assistante?|ia|modèle|bot|chatbot)\b",
        r"\b(?:révèle|affiche|montre|répète)[rz]?(?:-moi)? (?:ton|le|votre) prompt système",
    ),
    "Spanish": (
        r"\b(?:ignor[ae]n?|olvid[ae]n?|ha(?:z|ga) caso omiso de) (?:(?:todas|todos|las|los|tus|"
        r"sus) ){0,3}(?:instrucciones|indicaciones|órdenes|ordenes|directrices|reglas) "
        r"(?:anteriores|previas|precedentes)",
        _START + r"(?P<quote>(?:respond|contest)[ae] (?:s[oó]lo|solamente|[uú]nicamente) con\b)",
        rf"\b(?:ahora eres|eres ahora) {_MODEL}(?:asistente|ia|modelo|bot|chatbot)\b",
        r"\b(?:revela|muestra|repite)(?:me)? (?:tu|el) prompt (?:del|de) sistema",
    ),
    "Japanese": (
        r"(?:以前|これまで|今まで|上記|前|先)の(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)"
        r"(?:を|は)(?:すべて|全て)?(?:無視|忘れ)",
        r"[^\s。、]{0,20}(?:とだけ|(?:だけ|のみ)[でを])(?:答え|回答し|返答し|返信し|出力し)"
        r"(?:て|ろ|なさい)",
        r"あなたは(?:今から|これから|今後|現在)[^。]{0,20}(?:アシスタント|ai|モデル|ボット)",
        r"システムプロンプトを(?:表示|出力|公開|教え)",
    ),
}
"""What reads as an instruction, by language: drop what came before, reply only so, be another,
give the system prompt away. For texts after NFKC and casefold, with single spaces."""

HINTS: dict[str, tuple[str, ...]] = {
    "English": (
        *("ignore", "disregard", "forget", "override", "prompt"),
        *("only with", "just with", "with only", "you are now"),
    ),
    "German": (
        *("ignorier", "missacht", "vergiss", "vergess", "prompt"),
        *("antworte", "du bist", "sie sind"),
    ),
    "French": ("ignore", "oublie", "compte de", "répond", "tu es", "vous êtes", "prompt"),
    "Spanish": ("ignor", "olvid", "caso omiso", "respond", "contest", "ahora", "prompt"),
    "Japanese": ("無視", "忘れ", "だけ", "のみ", "あなたは", "プロンプト"),
}
"""Every match of a language's patterns has one of these: most texts have none, and cost little."""

_COMPILED = {
    language: tuple(re.compile(pattern) for pattern in patterns)
    for language, patterns in PATTERNS.items()
}

_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_END = re.compile(r"[.!?。！？]")


def instruction_in_evidence(case: Case) -> list[Finding]:
    """Text in a packed chunk that reads as an instruction to the model, quoted in the title."""
    limits = case.thresholds
    quotes: dict[str, str] = {}
    chunks = [place.chunk for place in case.placed]
    for chunk in chunks:
        text = chunk.text or ""
        quote = instruction_in(text, limits.quoted) if len(text) <= limits.longest_text else None
        if quote is not None:
            quotes[chunk.id] = quote
    if not quotes:
        return []
    first, quote = next(iter(quotes.items()))
    more = f"; {len(quotes) - 1} more packed chunks do so" if len(quotes) > 2 else ""
    more = "; another packed chunk does so" if len(quotes) == 2 else more
    return [
        Finding(
            code="instruction_in_evidence",
            severity="warning",
            title=f'{first} reads as an instruction to the model: "{quote}"{more}.',
            detail={"quotes": quotes},
            chunks=tuple(quotes),
            advice="Filter such text at ingestion, and tell the model that evidence is data.",
            basis=basis(next(chunk for chunk in chunks if chunk.id == first)),
        )
    ]


def instruction_in(text: str, longest: int) -> str | None:
    """The first words that read as an instruction, at most `longest` characters; None if none."""
    seen = _SPACE.sub(" ", _UNSEEN.sub("", unicodedata.normalize("NFKC", text)))
    folded = seen.casefold()
    spans = [
        match.span("quote" if "quote" in pattern.groupindex else 0)
        for language, patterns in _COMPILED.items()
        if any(hint in folded for hint in HINTS[language])
        for pattern in patterns
        if (match := pattern.search(folded))
    ]
    if not spans:
        return None
    start, end = (_before(seen, at) for at in min(spans))
    stop = _END.search(seen, end)
    return seen[start : min(stop.start() if stop else len(seen), start + longest)].strip()


def _before(text: str, folded_at: int) -> int:
    """The place in a text of a place in its casefolded form, where ß is two characters."""
    at = 0
    for index, unit in enumerate(text):
        if at >= folded_at:
            return index
        at += len(unit.casefold())
    return len(text)
