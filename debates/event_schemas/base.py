"""What all events have in common: strict shapes of data, and the few kinds of values in them."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from debates.types import Audience

Public, Participants, Moderators = Audience.PUBLIC, Audience.PARTICIPANTS, Audience.MODERATORS

Amount = Annotated[str, Field(pattern=r"^-?\d+\.\d{2,6}$", description="A decimal with 2 to 6 places, as text.")]
Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="A word for programs.")]
Key = Annotated[str, Field(min_length=1, max_length=40, description="A criterion's code, as in the rubric.")]
Label = Annotated[str, Field(min_length=1, max_length=10, description="How a challenge is called within its thread.")]
Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
PublicId = Annotated[str, Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", description="A public id.")]


class Words(BaseModel):
    """Words that belong to an event and are joined when it is read; empty where they have been erased."""

    model_config = ConfigDict(extra="forbid")


class EventData(BaseModel):
    """The data of one type of event, as it is kept in the log: ids and numbers, never words of people.

    A field whose default is nothing may be left out. The first line of a docstring says when the event is told.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    called: ClassVar[str] = ""
    audiences: ClassVar[frozenset[Audience]] = frozenset({Public})
    words: ClassVar[type[Words] | None] = None

    def __init_subclass__(
        cls, *, type: str = "", audiences: Sequence[Audience] = (), words: type[Words] | None = None
    ) -> None:
        super().__init_subclass__()
        cls.called = type or cls.called
        cls.audiences = frozenset(audiences) or cls.audiences
        cls.words = words or cls.words

    @classmethod
    def as_read(cls) -> type[BaseModel]:
        """Return the shape that readers see: with the words that are joined."""
        if cls.words is None:
            return cls
        return create_model(cls.__name__, __base__=(cls, cls.words), __doc__=cls.__doc__)
