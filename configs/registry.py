"""What can be added to the program: metrics, judge providers, importers. Ours are files of a folder; those of
other packages are entry points.

What can't be used is left out with a sentence that names its package, and everything else continues.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from typing import Generic, TypeVar

Spec = TypeVar("Spec")
LONGEST_REASON = 200  # characters of an extension's error
OWN = "Second Reader"


class ExtensionUnusable(Exception):
    """An entry is not valid; the message says what is wrong."""


@dataclass(frozen=True)
class RegistryEntry(Generic[Spec]):
    """A metric, provider or importer. `package`: its distribution with version."""

    name: str
    package: str
    spec: Spec

    @property
    def is_own(self) -> bool:
        return self.package == OWN


@dataclass(frozen=True)
class _Candidate:
    """An entry before it is loaded."""

    name: str
    package: str
    load: Callable[[], object]


class Registry(Generic[Spec]):
    """All entries of one kind by name, loaded when first needed.

    `group`: of entry points. `kind`: a noun for sentences. `folder`: the package with our own files, which
    each hold one entry as `attribute`. `check(entry, name, own)` returns what is registered, or raises
    ExtensionUnusable.
    """

    def __init__(
        self, group: str, kind: str, folder: str, attribute: str, check: Callable[[object, str, bool], Spec]
    ) -> None:
        self.group, self.kind = group, kind
        self._folder, self._attribute, self._check = folder, attribute, check
        self.forget()

    def forget(self) -> None:
        """Look again at the next call: for tests that install a package while the program runs."""
        self._candidates: dict[str, _Candidate] | None = None
        self._entries: dict[str, RegistryEntry[Spec]] = {}
        self._problems: dict[str, str] = {}

    def names(self) -> list[str]:
        """Return every registered name, ours first, without loading anything."""
        return list(self._listed())

    def get(self, name: str) -> Spec | None:
        """Return the entry of this name; None if there is none or it can't be used (`problem`)."""
        entry = self.entry(name)
        return None if entry is None else entry.spec

    def entry(self, name: str) -> RegistryEntry[Spec] | None:
        """Return the entry with its package; None if there is none, or it can't be used."""
        candidate = self._listed().get(name)
        if candidate is not None and name not in self._entries and name not in self._problems:
            self._load(candidate)
        return self._entries.get(name)

    def problem(self, name: str) -> str | None:
        """Return why the entry of this name is left out, in one sentence; None if it is not."""
        self.entry(name)
        return self._problems.get(name)

    def all(self) -> list[RegistryEntry[Spec]]:
        """Return every usable entry, ours first."""
        return [entry for name in self._listed() if (entry := self.entry(name)) is not None]

    def own_specs(self) -> list[Spec]:
        """Return our own entries, without loading other packages."""
        names = [name for name, candidate in self._listed().items() if candidate.package == OWN]
        return [spec for name in names if (spec := self.get(name)) is not None]

    def problems(self) -> list[str]:
        """Return a sentence for each entry that was left out."""
        self.all()
        return list(self._problems.values())

    def _load(self, candidate: _Candidate) -> None:
        own = candidate.package == OWN
        try:
            spec = self._check(candidate.load(), candidate.name, own)
        except ExtensionUnusable as error:
            reason = f"can't be used: {_first_line(str(error))}"
        # Whatever another package's module raises on import, all others continue.
        except (Exception, SystemExit) as error:
            if own:
                raise
            message = ": ".join(part for part in (type(error).__name__, _first_line(str(error))) if part)
            reason = f"could not be loaded: {message}"
        else:
            self._entries[candidate.name] = RegistryEntry(candidate.name, candidate.package, spec)
            return
        self._problems[candidate.name] = self._left_out(candidate.package, candidate.name, reason)

    def _left_out(self, package: str, name: str, reason: str) -> str:
        return f"The {self.kind} {name!r} of the package {package} {reason.rstrip('.')}. It is left out."

    def _listed(self) -> dict[str, _Candidate]:
        if self._candidates is None:
            candidates = {candidate.name: candidate for candidate in self._own()}
            self._add_packages(candidates)
            self._candidates = candidates  # set as a whole, because other threads read it meanwhile
        return self._candidates

    def _own(self) -> Iterator[_Candidate]:
        """Yield one entry per file; files beginning with an underscore hold shared parts."""
        folder = importlib.import_module(self._folder)
        for module in pkgutil.iter_modules(folder.__path__):
            if not module.name.startswith("_"):
                yield _Candidate(module.name, OWN, self._loader(f"{self._folder}.{module.name}"))

    def _loader(self, module: str) -> Callable[[], object]:
        return lambda: getattr(importlib.import_module(module), self._attribute)

    def _add_packages(self, candidates: dict[str, _Candidate]) -> None:
        by_name: defaultdict[str, list[_Candidate]] = defaultdict(list)
        points = sorted(self._entry_points(), key=lambda point: (point.name, _package(point)))
        for point in dict.fromkeys(points):
            by_name[point.name].append(_Candidate(point.name, _package(point), point.load))
        for name, rivals in by_name.items():
            packages = [candidate.package for candidate in rivals]
            if name in candidates:
                self._problems[f"{name} of {', '.join(packages)}"] = self._left_out(
                    ", ".join(packages), name, f"has the name of one of {OWN}'s own"
                )
            elif len(rivals) > 1:
                # The winner would depend on the path, and a number must not.
                self._problems[name] = (
                    f"The packages {', '.join(packages[:-1])} and {packages[-1]} both have a {self.kind} "
                    f"{name!r}. Both are left out: uninstall one of them."
                )
            else:
                candidates[name] = rivals[0]

    def _entry_points(self) -> list[EntryPoint]:
        """Return the entry points of all packages whose lists can be read."""
        try:
            return list(entry_points(group=self.group))
        except Exception:  # noqa: BLE001  the library documents no errors for a broken list
            points: list[EntryPoint] = []
        for package in distributions():
            try:
                points += package.entry_points.select(group=self.group)
            except Exception as error:  # noqa: BLE001  as above
                name = _package_name(package)
                self._problems[f"entry points of {name}"] = (
                    f"The entry points of the package {name} can't be read ({type(error).__name__}). If it "
                    f"adds a {self.kind}, that is left out."
                )
        return points


def _package(point: EntryPoint) -> str:
    return point.value if point.dist is None else _package_name(point.dist)


def _package_name(package: Distribution) -> str:
    """Return name and version; for a package without metadata, that it has none."""
    try:
        return f"{package.name} {package.version}"
    except Exception:  # noqa: BLE001  metadata may be missing or broken in any way
        return "without a name"


def _first_line(text: str) -> str:
    line = next(iter(text.splitlines()), "")
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}…"
