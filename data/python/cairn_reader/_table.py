"""Reads rows of column tables with pyarrow: chosen columns of a few row groups, each chunk after its check."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._bytes import CairnError

Chunk = Tuple[int, int, int]
Node = Dict[str, Any]
CHECK_BYTES = 8
GAP_SHARE, FREE_GAP_BYTES, MOST_BYTES = 0.2, 64 * 1024, 4 * 1024 * 1024
MAGIC = b"PAR1"


class TableFile:
    """A Parquet file of a column table, opened by its footer."""

    def __init__(self, path: str, node: Node, footer: bytes) -> None:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]

        self.path, self._node, self._footer = path, node, footer
        try:
            self._metadata = pyarrow.parquet.read_metadata(pyarrow.BufferReader(footer))
            self._checks = base64.b64decode(json.loads(self._metadata.metadata[b"cairn"])["checks"], validate=True)
        except (pyarrow.ArrowException, ValueError, KeyError, TypeError) as error:
            raise CairnError(f"{path} has no footer of a column table: {error}") from error
        self.schema = self._metadata.schema.to_arrow_schema()
        groups, columns = self._metadata.num_row_groups, self._metadata.num_columns
        if self._metadata.num_rows != node["rows"] or len(self._checks) != groups * columns * CHECK_BYTES:
            raise CairnError(f"{path} has {self._metadata.num_rows} rows in {groups} groups, expected {node['rows']} rows")

    def groups(self, wanted: Dict[str, Optional[Sequence[str]]]) -> List[int]:
        """Indices of the row groups that may have one of the wanted texts in each column. None means any text."""
        return [index for index in range(self._metadata.num_row_groups) if self._may_hold(index, wanted)]

    def read(self, groups: Sequence[int], columns: Sequence[str], read: Callable[[Tuple[int, int]], bytes]) -> Any:
        """Returns columns of row groups as a table. `read` returns the bytes of the file from a start to an end (exclusive)."""
        import pyarrow
        import pyarrow.parquet

        # Only the wanted chunks are filled: pyarrow reads no others.
        data = bytearray(self._node["bytes"])
        data[: len(MAGIC)] = MAGIC
        data[len(data) - len(self._footer) :] = self._footer
        for chunks in join_chunks(self._chunks(groups, columns)):
            start, end = chunks[0][0], chunks[-1][1]
            found = read((start, end))
            if len(found) != end - start:
                raise CairnError(f"{self.path} has {len(found)} bytes from byte {start} on, expected {end - start}")
            for first, last, index in chunks:
                chunk = found[first - start : last - start]
                check = self._checks[index * CHECK_BYTES : (index + 1) * CHECK_BYTES]
                if hashlib.sha256(chunk).digest()[:CHECK_BYTES] != check:
                    raise CairnError(f"{self.path} has a damaged column chunk at byte {first}")
                data[first:last] = chunk
        try:
            file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data), pre_buffer=False)
            table = file.read_row_groups(list(groups), columns=list(columns))
        except (pyarrow.ArrowException, OSError) as error:
            raise CairnError(f"{self.path} cannot be decoded: {error}") from error
        return table.replace_schema_metadata(None)

    def _may_hold(self, index: int, wanted: Dict[str, Optional[Sequence[str]]]) -> bool:
        group = self._metadata.row_group(index)
        for each in range(self._metadata.num_columns):
            column = group.column(each)
            texts = wanted.get(column.path_in_schema)
            bounds = column.statistics
            if texts is None or bounds is None or not bounds.has_min_max:
                continue
            if not any(bounds.min <= text <= bounds.max for text in texts):
                return False
        return True

    def _chunks(self, groups: Sequence[int], columns: Sequence[str]) -> List[Chunk]:
        """First byte, end and number of the wanted column chunks."""
        chunks, data_end = [], self._node["bytes"] - len(self._footer)
        for index in groups:
            for each in range(self._metadata.num_columns):
                column = self._metadata.row_group(index).column(each)
                if column.path_in_schema.split(".")[0] not in columns:
                    continue
                start, dictionary = column.data_page_offset, column.dictionary_page_offset
                if dictionary is not None and 0 < dictionary < start:
                    start = dictionary
                end = start + column.total_compressed_size
                if not len(MAGIC) <= start <= end <= data_end:
                    raise CairnError(f"{self.path} has a column chunk from byte {start} to {end}, of {data_end} bytes")
                chunks.append((start, end, index * self._metadata.num_columns + each))
        return chunks


def schema_with(schema: Any, names: Sequence[str]) -> Any:
    """Returns the schema with these columns only."""
    import pyarrow

    return pyarrow.schema([schema.field(name) for name in names])


def join_chunks(chunks: Sequence[Chunk]) -> List[List[Chunk]]:
    """Lists of chunks that one request reads. Small gaps are read too: at most 64 KiB or a fifth of the wanted bytes."""
    ordered = sorted(chunks)
    left = max(FREE_GAP_BYTES, GAP_SHARE * sum(end - start for start, end, _ in ordered))
    joined = set()
    for gap, index in sorted((ordered[at][0] - ordered[at - 1][1], at) for at in range(1, len(ordered))):
        if gap > left:
            break
        left -= gap
        joined.add(index)
    ranges: List[List[Chunk]] = []
    for index, chunk in enumerate(ordered):
        if index in joined and chunk[1] - ranges[-1][0][0] <= MOST_BYTES:
            ranges[-1].append(chunk)
        else:
            ranges.append([chunk])
    return ranges


def rows_of(parts: Sequence[Any], schema: Any, key: str, values: Sequence[str], countries: Optional[Sequence[str]]) -> Any:
    """The rows with one of the values and countries in the order of ids, each once."""
    import pyarrow
    import pyarrow.compute as compute  # type: ignore[import-untyped]

    table = pyarrow.concat_tables([schema.empty_table(), *parts])
    wanted = compute.is_in(table[key], pyarrow.array(values, pyarrow.string()))
    if countries is not None:
        wanted = compute.and_(wanted, compute.is_in(table["country"], pyarrow.array(countries, pyarrow.string())))
    table = table.filter(wanted).sort_by("id").combine_chunks()
    if len(table) < 2:
        return table
    ids = table["id"].combine_chunks()
    is_new = compute.not_equal(ids[1:], ids[:-1])
    return table.filter(pyarrow.array([True, *is_new.to_pylist()]))
