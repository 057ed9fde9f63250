"""A small debate of ours to judge responses in: two positions on a motion about vaccination, with what was said."""

from decimal import Decimal

from judging.types import Position, Scene, Utterance

MOTION = "Hospitals should require every nurse to be vaccinated against influenza."
MIRA = (
    "Every winter influenza kills patients who caught it on the ward. A vaccinated nurse passes it on half as often, "
    "so a requirement saves lives for the price of a sore arm. Newborns and people in chemotherapy cannot be "
    "vaccinated themselves and depend on those around them. A voluntary campaign reached only six nurses in ten. "
    "Is a free choice worth more than the patient who dies of it?"
)
KONRAD = (
    "A person's body is not an instrument of the hospital, and consent given under threat of dismissal is no consent. "
    "We owe each nurse reasons, and a refusal must remain possible. A rule that breaks trust once will be broken "
    "against other patients later. Masks and paid sick leave protect the ward without touching anybody's body. "
    "Who decides which treatment is imposed next?"
)


def scene(response: str, *, speaker: str = "Konrad", framework: str | None = None, said: str | None = None) -> Scene:
    mine = {"Konrad": "deontological", "Mira": "utilitarian"}
    chairs = tuple(
        Position(
            name=name,
            framework=mine[name] if framework is None or name != speaker else framework,
            stance=stance,
            conviction=Decimal("0.7"),
        )
        for name, stance in (("Mira", Decimal("0.8")), ("Konrad", Decimal("-0.6")))
    )
    openings = {"Mira": MIRA, "Konrad": KONRAD}
    if said is not None:
        openings["Mira" if speaker == "Konrad" else "Konrad"] = said
    return Scene(
        motion=MOTION,
        chairs=chairs,
        exchange=1,
        exchanges=3,
        speaker=speaker,
        said=tuple(Utterance(name, "opening", text) for name, text in openings.items()),
        response=response,
    )
