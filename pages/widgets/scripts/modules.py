"""Assembles ES modules into the one script that Streamlit takes for a component without a build step.

Streamlit runs a component's script from a blob, which can't import other files. Files served from a folder
would keep their addresses when the program changes, so a browser could mix old and new ones. So each module
becomes a function that is called once, in the order of the imports, and returns its exports.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\./|\.\./\w+/)(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (function|async function|class|const) (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function(?= ?\()", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@dataclass(frozen=True)
class _Module:
    """`imports`: names by module; `body`: the code without import and export; `paths`: of the imported
    modules.
    """

    path: Path
    paths: dict[str, Path]
    imports: dict[str, tuple[str, ...]]
    exports: tuple[str, ...]
    has_default: bool
    body: str


def assemble(entry: Path) -> str:
    """Return the module `entry` and all its imports as one script with the same exports.

    Modules lie in the same folder or a sibling (`"../scripts/dom.js"`). They use `import { name } from
    "./module.js";`, and `export` before a function, a class or a constant.

    Raises:
        ValueError: another form of import or export, a missing export, a cycle, or two modules of one name.
    """
    modules: dict[str, _Module] = {}
    _add(entry.resolve(), modules, ())
    module = modules[entry.stem]
    exports = [f"export const {{ {', '.join(module.exports)} }} = ${entry.stem};"] if module.exports else []
    if module.has_default:
        exports.append(f"export default ${entry.stem}.default;")
    return "\n".join([*(_as_function(name, part) for name, part in modules.items()), *exports, ""])


def _add(path: Path, modules: dict[str, _Module], importers: tuple[str, ...]) -> None:
    """Add a module after all its imports."""
    name = path.stem
    if name in importers:
        raise ValueError(f"These modules import each other: {', '.join(importers[importers.index(name) :])}.")
    if name in modules:
        if modules[name].path != path:
            raise ValueError(f"Two modules have the name {path.name}.")
        return
    module = _read(path)
    for other, names in module.imports.items():
        _add(module.paths[other], modules, (*importers, name))
        missing = sorted(set(names) - set(modules[other].exports))
        if missing:
            raise ValueError(f"{name}.js imports {', '.join(missing)}, which {other}.js does not export.")
    modules[name] = module


def _read(path: Path) -> _Module:
    text = path.read_text(encoding="utf-8")
    imports: dict[str, tuple[str, ...]] = {}
    paths: dict[str, Path] = {}
    for names, folder, other in _IMPORT.findall(text):
        place = (path.parent / folder / f"{other}.js").resolve()
        if paths.setdefault(other, place) != place:
            raise ValueError(f"Two modules have the name {other}.js.")
        imports[other] = (*imports.get(other, ()), *re.findall(r"[^\s,][^,]*[^\s,]|[^\s,]", names))
    exports = tuple(name for _, name in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", text))
    body, defaults = _DEFAULT.subn("const $default = function", body)
    other_form = _OTHER.search(body)
    if other_form or defaults > 1:
        line = other_form[0] if other_form else "a second default"
        raise ValueError(f"{path.name} imports or exports in another form: {line}")
    return _Module(path, paths, imports, exports, bool(defaults), body.strip())


def _as_function(name: str, module: _Module) -> str:
    imports = [f"const {{ {', '.join(names)} }} = ${other};" for other, names in module.imports.items()]
    exports = [*module.exports, *(["default: $default"] if module.has_default else [])]
    lines = [f"// {name}.js", f"const ${name} = (() => {{", *imports, module.body]
    return "\n".join([*lines, f"return {{ {', '.join(exports)} }};", "})();"])
