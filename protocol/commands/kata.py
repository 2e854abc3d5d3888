"""The settings of the player under the names that scripts for KataGo use."""

import json

import pyparsing as pp

from games.search.settings import READERS, BadSetting
from protocol.commands.entry import NOTHING, Entry
from protocol.errors import Refusal
from protocol.grammar import WORD
from protocol.session import Session


def list_params(session: Session) -> str:
    """Name every setting, separated by blanks."""
    return " ".join(READERS)


def get_param(session: Session, key: str) -> str:
    """The value of one setting."""
    return session.player.settings.shown(known(key))


def get_params(session: Session) -> str:
    """All settings as one JSON object of texts."""
    settings = session.player.settings
    return json.dumps({name: settings.shown(name) for name in READERS})


def set_param(session: Session, key: str, value: str = "") -> str:
    """Change one setting."""
    session.change_setting(known(key), value)
    return ""


def set_params(session: Session, values: str) -> str:
    """Change several settings, all of them or none."""
    try:
        chosen = json.loads(values)
    except (ValueError, RecursionError):
        chosen = None
    if not isinstance(chosen, dict):
        raise Refusal("expected a JSON object of settings and their values")
    pairs = [(known(key), str(value)) for key, value in chosen.items()]
    made = session.player.settings
    for key, value in pairs:
        made = made.with_text(key, value)
    for key, value in pairs:
        session.change_setting(key, value)
    return ""


def known(key: str) -> str:
    if key not in READERS:
        raise BadSetting(f"Invalid parameter: {key:.40}")
    return key


KEY = WORD.copy().set_name("KEY")("key")
VALUE = WORD.copy().set_name("VALUE")("value")

TABLE = (
    Entry("kata-list-params", NOTHING, list_params),
    Entry("kata-get-param", KEY, get_param),
    Entry("kata-get-params", NOTHING, get_params),
    Entry("kata-set-param", KEY + pp.Optional(VALUE), set_param),
    Entry("kata-set-params", pp.Regex("[ -~]+").set_name("JSON")("values"), set_params),
)
