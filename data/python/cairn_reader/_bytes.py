"""Bytes of the format: whole numbers, compressed data, blocks."""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import List, Tuple

BLOCK = 2048
CHECK, HEADER = 8, 12
CHUNK_BLOCKS, GROUP_NUMBERS = 4096, 128
PLANES = 6
MAX_SLICE = 128 * 1024 * 1024


class CairnError(Exception):
    """A file of the dataset is missing or damaged, or a parameter has an invalid value."""


def unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def value_in(planes: bytes, row: int) -> int:
    """The value of a row in six planes: the highest byte of all rows, then the next byte of all rows."""
    return int.from_bytes(planes[row :: len(planes) // PLANES], "big")


def write_signed(value: int) -> bytes:
    rest, written = 2 * value if value >= 0 else -2 * value - 1, bytearray()
    while rest > 127:
        written.append(rest & 127 | 128)
        rest >>= 7
    written.append(rest)
    return bytes(written)


class Bytes:
    """Reads bytes from start to end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            if self.at >= len(self.data):
                raise CairnError("the bytes end within a number")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self) -> int:
        return unzigzag(self.varint())

    def raw(self, length: int) -> bytes:
        if self.at + length > len(self.data):
            raise CairnError(f"the bytes end after {len(self.data)}, expected {self.at + length}")
        self.at += length
        return self.data[self.at - length : self.at]


def inflate(data: bytes, dictionary: bytes = b"", most: int = MAX_SLICE) -> bytes:
    """Inflates raw deflate. Raises CairnError for damaged data, and for more than `most` bytes, by default 128 MiB."""
    try:
        stream = zlib.decompressobj(-15, zdict=dictionary) if dictionary else zlib.decompressobj(-15)
        found = stream.decompress(data, most)
    except zlib.error as error:
        raise CairnError(f"compressed data is damaged: {error}") from error
    # the end of a stream of exactly `most` bytes may be unread
    if not stream.eof and (stream.decompress(stream.unconsumed_tail, 1) or not stream.eof):
        raise CairnError(f"compressed data ends early, or has more than {most} bytes")
    return found


def open_block(data: bytes, block: int) -> bytes:
    """Returns the content of blocks. `block` is the number of the first one. Raises CairnError for a wrong checksum."""
    if len(data) < HEADER or hashlib.sha256(struct.pack("<I", block) + data[8:]).digest()[:8] != data[:8]:
        raise CairnError(f"block {block} does not hold its check")
    return data[HEADER : HEADER + struct.unpack_from("<I", data, 8)[0]]


class Points:
    """Geometry, number (counted from the country's first) and address of the record of each row of a slice."""

    def __init__(self, data: bytes) -> None:
        self._geometries: List[bytes] = []
        self._numbers: List[int] = []
        self._groups: List[Tuple[int, int]] = []
        slice_ = Bytes(data)
        while slice_.at < len(data):
            slice_.raw(CHECK)
            self._add(Bytes(inflate(slice_.raw(int.from_bytes(slice_.raw(HEADER - CHECK), "little")))))
        self.rows = len(self._geometries)

    def _add(self, reader: Bytes) -> None:
        """Adds the rows of a section."""
        reader.varint()
        count = reader.varint()
        steps = reader.raw(PLANES * count)
        rows = reader.varint()
        x = y = step = 0
        for _ in range(rows):
            head = reader.raw(reader.varint())
            if head:
                x += unzigzag(value_in(steps, step))
                y += unzigzag(value_in(steps, step + 1))
                step += 2
                head += write_signed(x) + write_signed(y)
            self._geometries.append(head + reader.raw(reader.varint()))
        if step != count:
            raise CairnError(f"points have {count} steps, their rows {step}")
        planes = reader.raw(PLANES * rows)
        self._numbers += [value_in(planes, row) for row in range(rows)]
        self._groups += [(reader.varint(), reader.varint()) for _ in range(reader.varint())]

    def geometry(self, row: int) -> bytes:
        return self._geometries[row]

    def number(self, row: int) -> int:
        return self._numbers[row]

    def address(self, row: int, first: int) -> Tuple[int, int]:
        """Address of a row's record, and number of blocks of its group and its parts. `first` is the slice's first address."""
        position = first // GROUP_NUMBERS
        before = 0
        for rows, blocks in self._groups:
            block = position % CHUNK_BLOCKS
            if block > 0 and block + blocks > CHUNK_BLOCKS:
                position += CHUNK_BLOCKS - block
            if row < before + rows:
                return position * GROUP_NUMBERS + row - before, blocks
            before += rows
            position += (
                blocks if position % CHUNK_BLOCKS + blocks < CHUNK_BLOCKS else CHUNK_BLOCKS - position % CHUNK_BLOCKS
            )
        raise CairnError(f"points have no row {row}")
