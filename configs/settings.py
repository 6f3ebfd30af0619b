"""The settings of an installation, read from the environment. docs/operations.md lists them all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

PREFIX = "SECOND_READER_"
ROOT = Path(__file__).resolve().parent


class SettingsError(ValueError):
    """A setting can't be used; the message says which, why, and what to do."""


def data_home(environ: Mapping[str, str]) -> str:
    """Return the folder of the store and the model weights: XDG_DATA_HOME/second-reader.

    HOME/.local/share/second-reader if XDG_DATA_HOME is missing or relative, which the standard says to
    ignore. It is outside the checkout, so that a fresh clone or `git clean` never touches ratings.
    """
    base = environ.get("XDG_DATA_HOME") or ""
    if not os.path.isabs(
        base
    ):  # a relative one would depend on the working directory; the standard says to ignore it
        base = os.path.join(environ.get("HOME") or str(Path.home()), ".local", "share")
    return os.path.join(base, "second-reader")


def default_database_url(environ: Mapping[str, str]) -> str:
    """Return the address of the store in `data_home`: "sqlite:///FOLDER/second-reader.sqlite"."""
    return "sqlite:///" + os.path.join(data_home(environ), "second-reader.sqlite")


@dataclass(frozen=True)
class Settings:
    """The settings; each field is the variable SECOND_READER_<FIELD>."""

    database_url: str
    address: str
    port: int
    open_browser: bool
    samples: bool
    busy_seconds: float
    import_memory: int
    instruments: Path
    taxonomies: Path
    models: Path
    prompts: Path
    weights: Path

    @classmethod
    def read(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Return the settings. Raises SettingsError for an invalid value or an unknown name."""
        env = os.environ if environ is None else environ
        names = {PREFIX + field.name.upper() for field in fields(cls)}
        for name in (name for name in env if name.startswith(PREFIX)):
            if name not in names:
                raise SettingsError(
                    f"There is no setting {name}. The settings are: {', '.join(sorted(names))}."
                )
            try:
                env[name].encode()
            except UnicodeEncodeError:
                raise SettingsError(f"{name} is {env[name]!a}; it must be UTF-8 text.") from None
        return cls(
            database_url=env.get(PREFIX + "DATABASE_URL") or default_database_url(env),
            address=env.get(PREFIX + "ADDRESS") or "127.0.0.1",
            port=_whole(env, "PORT", 8501, 1, 65535),
            open_browser=_yes(env, "OPEN_BROWSER", True),
            samples=_yes(env, "SAMPLES", True),
            busy_seconds=_number(env, "BUSY_SECONDS", 10.0, 0.0, 600.0),
            import_memory=_whole(env, "IMPORT_MEMORY", 1000, 200, 1_000_000),
            instruments=Path(env.get(PREFIX + "INSTRUMENTS") or ROOT / "instruments"),
            taxonomies=Path(env.get(PREFIX + "TAXONOMIES") or ROOT / "taxonomies"),
            models=Path(env.get(PREFIX + "MODELS") or ROOT / "models.yaml"),
            prompts=Path(env.get(PREFIX + "PROMPTS") or ROOT / "prompts"),
            weights=Path(env.get(PREFIX + "WEIGHTS") or os.path.join(data_home(env), "weights")),
        )


def _number(env: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    text = env.get(PREFIX + name)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise SettingsError(f"{PREFIX}{name} is {text!r}; it must be a number from {low:g} to {high:g}.")
    return value


def _whole(env: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    value = _number(env, name, default, low, high)
    if value != int(value):
        raise SettingsError(
            f"{PREFIX}{name} is {env[PREFIX + name]!r}; it must be a whole number from {low} to {high}."
        )
    return int(value)


def _yes(env: Mapping[str, str], name: str, default: bool) -> bool:
    text = (env.get(PREFIX + name) or "").lower()
    if not text:
        return default
    if text not in {"yes", "no", "1", "0", "true", "false"}:
        raise SettingsError(f"{PREFIX}{name} is {text!r}; it must be yes or no.")
    return text in {"yes", "1", "true"}
