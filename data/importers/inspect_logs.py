"""Read logs of Inspect (.eval): a zip file with one JSON document per sample, mostly compressed with
Zstandard, which Python's zipfile does not know.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import zstandard

from configs.files.json_keys import read_json
from configs.files.plain_files import open_plain
from data.importers.report import ImportReport
from data.importers.table_files import LARGEST, zip_names

ZSTANDARD = 93  # the method's number in a zip file
LARGEST_MEMBER = 1 << 26  # bytes of one unpacked sample
LOCAL_HEADER = struct.Struct("<4s2xHH16xHH")  # signature, flags, method, lengths of name and of extra
HEADERS = ("header.json", "_journal/start.json")  # the second of a run that never ended
ENCRYPTED = 1  # flag
TOO_LARGE = "the log unpacks to more than 268 MB; export fewer samples"


class BrokenMember(ValueError):
    """A file in the log can't be read; the message says why."""


def is_log(path: Path) -> bool:
    """Tell whether the file is a log of Inspect in its zip form, whatever its name."""
    return bool(set(HEADERS) & set(zip_names(path)))


def documents(path: Path, report: ImportReport) -> Iterator[tuple[int, Any]]:
    """Yield (number, log) for each sample: the log's header with `samples` of one, like the JSON form."""
    with open_plain(path) as stream, zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > LARGEST:
            report.error(0, TOO_LARGE)
            return
        by_name = {member.filename: member for member in members}
        header = next(by_name[name] for name in HEADERS if name in by_name)
        samples = [member for member in members if member.filename.startswith("samples/")]
        try:
            log = _json_of(stream, header)
            if not isinstance(log, dict):
                raise BrokenMember(f"{header.filename} holds no object")
            for number, member in enumerate(samples, start=1):
                yield number, {"status": "started", **log, "samples": [_json_of(stream, member)]}
                report.tell("read", number, len(samples))
        except BrokenMember as error:
            report.error(0, f"the log can't be read: {error}")
            return
        if not samples:
            report.error(0, "the log holds no sample")


def _json_of(stream: BinaryIO, member: zipfile.ZipInfo) -> Any:
    try:
        value = read_json(_bytes_of(stream, member).decode("utf-8"))
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except BrokenMember:
        raise
    except (ValueError, RecursionError):
        raise BrokenMember(f"{member.filename[:80]} is not valid JSON") from None


def _bytes_of(stream: BinaryIO, member: zipfile.ZipInfo) -> bytes:
    """Return an unpacked file, never more than the archive states and LARGEST_MEMBER allows."""
    name = member.filename[:80]
    if member.file_size > LARGEST_MEMBER:
        raise BrokenMember(f"{name} unpacks to more than {LARGEST_MEMBER:,} bytes")
    stream.seek(member.header_offset)
    start = stream.read(LOCAL_HEADER.size)
    if len(start) < LOCAL_HEADER.size or not start.startswith(b"PK\x03\x04"):
        raise BrokenMember(f"{name} is missing")
    _, flags, method, name_length, extra_length = LOCAL_HEADER.unpack(start)
    if flags & ENCRYPTED:
        raise BrokenMember(f"{name} is encrypted")
    stream.seek(name_length + extra_length, 1)
    packed = stream.read(min(member.compress_size, LARGEST))
    if len(packed) < member.compress_size:
        raise BrokenMember(f"{name} is cut off")
    try:
        content = _unpack(packed, method, member.file_size)
    except (zstandard.ZstdError, zlib.error):
        raise BrokenMember(f"{name} is damaged") from None
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise BrokenMember(f"{name} is cut off or damaged")
    return content


def _unpack(packed: bytes, method: int, size: int) -> bytes:
    """Return at most `size` + 1 bytes."""
    if method == zipfile.ZIP_STORED:
        return packed
    if method == zipfile.ZIP_DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)
    if method == ZSTANDARD:
        unpacker = zstandard.ZstdDecompressor(max_window_size=LARGEST_MEMBER)
        with unpacker.stream_reader(packed, read_across_frames=True) as reader:
            return reader.read(size + 1)
    raise BrokenMember(f"a file is compressed with method {method}, which is not known")
