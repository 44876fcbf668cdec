"""Reads a Cairn dataset from a folder or over HTTP: rows around a point, of a country, by name and by id.

    import cairn_reader
    dataset = cairn_reader.open("https://maps.example/dataset/")
    found = dataset.places(lat=43.7384, lng=7.4246, radius=500, limit=10)
    print(found.total, [place["names"]["primary"] for place in found])

Positions are in degrees WGS84, distances in metres. The file format is described in `data/spec/`.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import io
import json
import os
import re
import struct
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Union

from ._check import check_manifest, check_nodes, check_page
from ._bytes import BLOCK, CHUNK_BLOCKS, GROUP_NUMBERS, HEADER, Bytes, CairnError, Points, inflate, open_block
from ._table import TableFile, rows_of, schema_with
from ._geometry import Parts, box_distance, box_of, distance, js_round, read_twkb
from ._words import words_of

__version__ = "0.1.0"
__all__ = ["CairnError", "Collection", "Dataset", "Results", "open"]


SEGMENT_BLOCKS, ID_BLOCK_ROWS, BLOCK_NUMBERS = 256, 250, 256
MAX_MANIFEST = 1024 * 1024
MAX_PAGE, MAX_DICTIONARY = 64 * 1024, 8 * 1024
MAX_DEPTH = 8
MAX_MERGED = 5000
FOLD_VERSION = 2
TERM_LETTERS = 24
PARTS = b"\x02"
Row = Dict[str, Any]
Node = Dict[str, Any]
Values = Union[None, str, Sequence[str]]
Terms = Sequence[Tuple[str, Sequence[str]]]


class Results(List[Row]):
    """A list of rows as dicts. `geometry` is a GeoJSON geometry. `total` is the number of all matches, not only of these rows."""

    def __init__(self, rows: Sequence[Row], total: int) -> None:
        super().__init__(rows)
        self.total = total

    def to_geodataframe(self) -> Any:
        """Returns the rows as a GeoDataFrame in EPSG:4326. Needs geopandas."""
        import geopandas  # type: ignore[import-untyped]
        from shapely.geometry import shape  # type: ignore[import-untyped]

        geometry = [shape(row["geometry"]) for row in self]
        columns = [{name: value for name, value in row.items() if name != "geometry"} for row in self]
        return geopandas.GeoDataFrame(columns, geometry=geometry, crs="EPSG:4326")


def open(url: str) -> Dataset:
    """Opens a dataset by the path or the URL of its folder. Raises CairnError if it has no valid manifest."""
    return Dataset(url)


class Dataset:
    """A release of a dataset. Its files never change, so one instance always answers from the same release."""

    def __init__(self, url: str) -> None:
        self._base = url.rstrip("/") + "/"
        self._slices: Dict[Tuple[str, int], bytes] = {}
        raw = self._read("manifest.json", None)
        if len(raw) > MAX_MANIFEST:
            raise CairnError(f"{self._base}manifest.json has {len(raw)} bytes, expected at most {MAX_MANIFEST}")
        try:
            self.manifest: Dict[str, Any] = json.loads(raw)
            own = self.manifest["sha256"].encode()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CairnError(f"{self._base}manifest.json is not the manifest of a dataset: {error}") from error
        if self.manifest.get("format") != "cairn" or self.manifest.get("format_version") != 3:
            raise CairnError(
                f"{self._base}: format_version {self.manifest.get('format_version')}, this program reads 3"
            )
        if hashlib.sha256(raw.replace(own, b"0" * 64, 1)).hexdigest().encode() != own:
            raise CairnError(f"{self._base}manifest.json does not have its hash")
        check_manifest(self.manifest)
        # Slices of small collections, in base64 by their hash.
        self._inline: Dict[str, str] = {}
        for about in self.manifest["collections"].values():
            self._inline.update(about.get("inline", {}))

    @property
    def release(self) -> str:
        """Name of the release."""
        return str(self.manifest["release"])

    @property
    def collections(self) -> List[str]:
        """Names of the collections, such as `place` and `building`."""
        return list(self.manifest["collections"])

    def collection(self, name: str) -> Collection:
        """Returns a collection by its name. Raises CairnError if the dataset lacks it."""
        if name not in self.manifest["collections"]:
            raise CairnError(f"no collection {name}, the dataset has {', '.join(self.collections)}")
        return Collection(self, name)

    def places(self, **question: Any) -> Results:
        """Searches the collection `place`. Parameters and errors are those of `Collection.search`."""
        return self.collection("place").search(**question)

    def table(self, name: str, category: Union[str, Sequence[str]], country: Values = None, columns: Optional[Sequence[str]] = None) -> Any:
        """Returns all rows of a category from the column table of collection `name` as a `pyarrow.Table`, each once, by id.

        `category` is a value, or a list of values of which a row has one, of the column by which the table is sorted: for
        buildings a class. An unknown value has no rows. `columns` are read besides `id`, `country` and `geometry` (WKB).
        Default: all columns. Checks each column chunk. Needs pyarrow. Raises CairnError without a table, for an
        unknown column or country, and for a missing or damaged file.
        """
        about = self._table_about(name)
        values = [category] if isinstance(category, str) else list(category)
        countries = self._table_countries(name, country)
        key, known = about["facet"], about["columns"]
        unknown = [column for column in columns or [] if column not in [key, "country", "id", "geometry", *known]]
        if unknown:
            raise CairnError(f"the table of {name} has no column {unknown[0]}, expected some of {', '.join(known)}")
        chosen = {"country", "id", "geometry", *(known if columns is None else columns)}
        parts: List[Any] = []
        schema = None
        nodes = list(self._table_nodes(name, values, countries))
        # Without rows, the types of the columns come from any file.
        for node in nodes or [next(self.collection(name)._nodes("table", lambda _: True))]:
            path, size = f"tables/{name}/{node['pack']}.parquet", node["footer"]["bytes"]
            footer = self._slice(path, {**node["footer"], "offset": node["bytes"] - size})
            file = TableFile(path, node, footer)
            wanted = [column for column in file.schema.names if column in chosen or column == key]
            schema = schema or schema_with(file.schema, wanted)
            groups = file.groups({key: values, "country": countries}) if nodes else []
            if groups:
                parts.append(file.read(groups, wanted, lambda span, path=path: self._read(path, span)))  # type: ignore[misc]
        rows = rows_of(parts, schema, key, values, countries)
        return rows if key in chosen else rows.drop_columns([key])

    def table_files(self, name: str, category: Optional[str] = None, country: Values = None) -> List[str]:
        """Returns the paths or URLs of a column table's Parquet files that may have rows of a category.

        `category` is a value of the column that the table is sorted by, of buildings a class. Default: all files. pandas,
        DuckDB and others read the files, and skip row groups by the same conditions. Raises CairnError without a table.
        """
        self._table_about(name)
        countries = self._table_countries(name, country)
        nodes = self._table_nodes(name, None if category is None else [category], countries)
        return [f"{self._base}tables/{name}/{node['pack']}.parquet" for node in nodes]

    def _table_about(self, name: str) -> Dict[str, Any]:
        about: Dict[str, Any] = self.collection(name)._about
        if "table" not in about or "table" not in about["runs"]:
            raise CairnError(f"{name} has no column table: build the dataset with --tables {name}")
        found: Dict[str, Any] = about["table"]
        return found

    def _table_countries(self, name: str, country: Values) -> Optional[List[str]]:
        if country is None:
            return None
        countries = [country] if isinstance(country, str) else list(country)
        known = self.collection(name)._about["countries"]
        if not countries or not set(countries) <= set(known):
            raise CairnError(f"country {country}, expected some of {', '.join(known)}")
        return countries

    def _table_nodes(self, name: str, values: Optional[List[str]], countries: Optional[List[str]]) -> Iterator[Node]:
        """Nodes of the files of a table that may have rows with one of these values and countries. None means all."""
        codes = [(code, code) for code in countries] if countries else [("", "\U0010ffff")]

        def wanted(node: Node) -> bool:
            first, last = (term.encode() for term in term_range(node))
            return values is None or any(
                f"{value}\0{low}".encode() <= last and f"{value}\0{high}".encode() >= first
                for value in values
                for low, high in codes
            )

        return self.collection(name)._nodes("table", wanted)

    def _read(self, path: str, span: Optional[Tuple[int, int]]) -> bytes:
        """Returns a file, or its bytes from `span[0]` to `span[1]` (exclusive)."""
        try:
            if not re.match(r"https?://", self._base):
                with io.open(os.path.join(self._base, path), "rb") as file:
                    file.seek(span[0] if span else 0)
                    return file.read(span[1] - span[0] if span else -1)
            headers = {"Range": f"bytes={span[0]}-{span[1] - 1}"} if span else {}
            with urllib.request.urlopen(urllib.request.Request(self._base + path, headers=headers)) as answer:
                body: bytes = answer.read()
                return body[span[0] : span[1]] if span and answer.status == 200 else body
        except (OSError, urllib.error.URLError) as error:
            raise CairnError(f"{self._base}{path} cannot be read: {error}") from error

    def _slice(self, path: str, node: Node) -> bytes:
        """Returns the bytes of a slice. Raises CairnError if its length or hash is wrong."""
        key = (path, node["offset"])
        if key not in self._slices:
            span = (node["offset"], node["offset"] + node["bytes"])
            inline = self._inline.get(node["sha256"])
            found = base64.b64decode(inline) if inline else self._read(path, span)
            if len(found) != node["bytes"] or hashlib.sha256(found).hexdigest() != node["sha256"]:
                raise CairnError(f"{self._base}{path} is damaged from byte {node['offset']} on")
            self._slices[key] = found
        return self._slices[key]


class Collection:
    """A collection of a dataset: the rows of one type, such as `place`."""

    def __init__(self, dataset: Dataset, name: str) -> None:
        self._dataset = dataset
        self.name = name
        self._about: Dict[str, Any] = dataset.manifest["collections"][name]
        self._dictionary: Optional[bytes] = None
        self._groups: Dict[Tuple[int, int], List[Row]] = {}

    @property
    def countries(self) -> Dict[str, int]:
        """Number of rows by country code."""
        return dict(self._about["countries"])

    def search(
        self,
        lat: Optional[float] = None,
        lng: Optional[float] = None,
        radius: float = 1000,
        country: Values = None,
        name: Optional[str] = None,
        category: Values = None,
        brand: Values = None,
        class_: Values = None,
        limit: int = 25,
        offset: int = 0,
    ) -> Results:
        """Returns up to `limit` rows from `offset` on: around a point, nearest first; without a point in the order of ids.

        `lat` and `lng` are degrees, `radius` is metres. `country` is a code, or a list of codes of which a row has one.
        Each word of `name` must be the start of a word of a row's names. `category`, `brand` and `class_` are values, or
        lists of values of which a row has one. Raises CairnError for an invalid value, and without a point if
        offset + limit is more than 5,000 for several countries.
        """
        if limit < 0 or offset < 0:
            raise CairnError(f"limit {limit} and offset {offset}, expected 0 or more")
        if (lat is None) != (lng is None):
            raise CairnError("lat and lng are only valid together")
        terms = [("name", [word]) for word in words_of(name)] if name else []
        if name and not terms:
            raise CairnError(f"name {name!r} has no letter and no digit")
        for facet, values in (("category", category), ("brand", brand), ("class", class_)):
            if values is not None:
                chosen = [values] if isinstance(values, str) else values
                terms.append((facet, [value.lower() if facet == "brand" else value for value in chosen]))
        countries = [country] if isinstance(country, str) else country
        if countries is not None and not set(countries) <= set(self._about["countries"]) or countries == []:
            raise CairnError(f"country {country}, expected some of {', '.join(self._about['countries'])}")
        if lat is None or lng is None:
            return self._by_id(countries, terms, limit, offset)
        if not (-90 <= lat <= 90 and -180 <= lng <= 180 and radius >= 0):
            raise CairnError(f"lat {lat}, lng {lng}, radius {radius}: expected -90 to 90, -180 to 180, 0 or more")
        return self._around(lat, lng, radius, countries, terms, limit, offset)

    def count(self, **question: Any) -> int:
        """Returns the number of all matches of a search with these parameters of `search`."""
        return self.search(**{**question, "limit": 0}).total

    def get(self, id: str) -> Optional[Row]:
        """Returns the row with this id, or None."""
        key = int.from_bytes(hashlib.sha256(id.encode()).digest()[:4], "big")
        spelt = f"{key:08x}"
        for node in self._nodes("find", lambda node: term_range(node)[0] <= spelt <= term_range(node)[1]):
            table = json.loads(inflate(self._slice("find", node)))
            found = 0
            for gap, address in zip(table["gap"], table["address"]):
                found += gap
                row = self._records([address])[0] if found == key else None
                if row and row["id"] == id:
                    return row
        return None

    # Searches

    def _around(
        self, lat: float, lng: float, radius: float, countries: Optional[Sequence[str]], terms: Terms, limit: int, offset: int
    ) -> Results:
        def near(node: Node) -> bool:
            return box_distance(lat, lng, node["bbox"]) <= radius + 0.001

        found: List[Tuple[float, str, int, int]] = []
        wanted: Dict[str, Set[int]] = {}
        for node in self._nodes("location", near):
            code = node["country"]
            if countries and code not in countries:
                continue
            if terms and code not in wanted:
                wanted[code] = set(self._numbers(code, terms))
            points = Points(self._slice("points", node["points"]))
            if points.rows != node["rows"]:
                raise CairnError(f"points of {self.name} have {points.rows} rows, expected {node['rows']}")
            for row in range(points.rows):
                if terms and points.number(row) not in wanted[code]:
                    continue
                stored = points.geometry(row)
                address, blocks = points.address(row, node["record"])
                if stored[:1] == PARTS:
                    table = Parts(stored)
                    if not near({"bbox": table.box}):
                        continue
                    near_parts = [part for part, box in enumerate(table.boxes) if near({"bbox": box})]
                    chunk, block = divmod(address // GROUP_NUMBERS, CHUNK_BLOCKS)
                    geometry = table.join(self._parts(chunk, block + blocks - len(table.boxes), near_parts))
                else:
                    geometry = read_twkb(stored)
                    if not near({"bbox": box_of(geometry)}):
                        continue
                metres = js_round(distance(lat, lng, geometry) * 1000) / 1000
                if metres <= radius:
                    found.append((metres, code, points.number(row), address))
        # Rows at the same distance are ordered by id, so the rows of the last distance are all read.
        first = heapq.nsmallest(offset + limit, found)
        last = first[-1][0] if first and limit else -1.0
        page = sorted(entry for entry in found if entry[0] <= last)
        rows = self._records([address for _, _, _, address in page])
        for record, (metres, _, _, _) in zip(rows, page):
            record["ext_distance"] = metres
        rows.sort(key=lambda row: (row["ext_distance"], row["id"].encode()))
        return Results(rows[offset : offset + limit], len(found))

    def _by_id(self, countries: Optional[Sequence[str]], terms: Terms, limit: int, offset: int) -> Results:
        codes = sorted(set(countries or self._about["countries"]))
        is_one = len(codes) == 1
        total, rows = 0, []
        for code in codes:
            found = self._numbers(code, terms) if terms else None
            total += self._about["countries"][code] if found is None else len(found)
            # Of several countries, the page has only rows that are among the first of their country.
            start, most = (offset, limit) if is_one else (0, offset + limit if limit else 0)
            if most > MAX_MERGED:
                raise CairnError(f"offset and limit are {most} rows, expected at most {MAX_MERGED} for several countries")
            page = self._page(code, start, most) if found is None else found[start : start + most]
            first = self._about["chunks"][code] * CHUNK_BLOCKS * GROUP_NUMBERS
            rows += self._records([first + self._entry(code, number) for number in page])
        if not is_one:
            rows = sorted(rows, key=lambda row: row["id"].encode())[offset : offset + limit]
        return Results(rows, total)

    def _page(self, country: str, offset: int, limit: int) -> List[int]:
        """Numbers of `limit` rows of a country in the order of ids, from `offset` on. Counted from the country's first."""
        numbers: List[int] = []
        base = self._about["segments"][country]
        for node in self._segments(country):
            for row in range(max(0, offset - node["start"]), min(node["rows"], offset + limit - node["start"])):
                block = (node["segment"] - base) * SEGMENT_BLOCKS + row // ID_BLOCK_ROWS
                numbers.append(block * BLOCK_NUMBERS + row % ID_BLOCK_ROWS)
        return numbers

    def _segments(self, country: str) -> Iterator[Node]:
        return self._nodes("ids", lambda node: country_range(node)[0] <= country <= country_range(node)[1])

    def _entry(self, country: str, number: int) -> int:
        """Address of the record of a row, counted from the country's first chunk."""
        block = number // BLOCK_NUMBERS
        segment = self._about["segments"][country] + block // SEGMENT_BLOCKS
        node = next(node for node in self._segments(country) if node["segment"] == segment)
        start = block % SEGMENT_BLOCKS * BLOCK
        content = open_block(self._slice("ids", node)[start : start + BLOCK], block % SEGMENT_BLOCKS)
        at = 2 + content[1] + 5 * (number % BLOCK_NUMBERS)
        return int.from_bytes(content[at : at + 5], "big")

    def _numbers(self, country: str, terms: Terms) -> List[int]:
        """Numbers of the rows of a country with all terms, ascending, counted from the country's first."""
        if self._dataset.manifest.get("fold_version") != FOLD_VERSION or "term" not in self._about["runs"]:
            raise CairnError(f"{self.name} has no terms that this program can use")
        lists = [set().union(*(self._posting(country, facet, value) for value in values)) for facet, values in terms]
        numbers = sorted(set.intersection(*lists))
        # Stored terms have 24 letters. The records have the whole names.
        long = [word for facet, words in terms if facet == "name" for word in words if len(word) > TERM_LETTERS]
        if not long or not numbers:
            return numbers
        if "schema" in self._about:
            raise CairnError(f"{long[0]!r} is too long for this reader, which compares {TERM_LETTERS} letters of a word")
        first = self._about["chunks"][country] * CHUNK_BLOCKS * GROUP_NUMBERS
        rows = self._records([first + self._entry(country, number) for number in numbers])
        names = [[each for text in texts_of(row) for each in words_of(text)] for row in rows]
        return [n for n, own in zip(numbers, names) if all(any(name.startswith(word) for name in own) for word in long)]

    def _posting(self, country: str, facet: str, value: str) -> Set[int]:
        if facet != "name":
            return set().union(*(own for _, own in self._terms(country, f"{facet}:{value}", f"{facet}:{value}")))
        value = value[:TERM_LETTERS]
        # A frequent prefix is a term of its own: the first stored term that starts with it.
        for _, own in self._terms(country, f"prefix:{value}", f"prefix:{value}\U0010ffff"):
            return own
        return set().union(*(own for _, own in self._terms(country, f"name:{value}", f"name:{value}\U0010ffff")))

    def _terms(self, country: str, first: str, last: str) -> Iterator[Tuple[str, Set[int]]]:
        """Terms from `first` to `last` in order, with the numbers of their rows."""
        low, high = first.encode(), last.encode()

        def may_hold(node: Node) -> bool:
            start, end = term_range(node)
            codes = country_range(node)
            if not codes[0] <= country <= codes[1]:
                return False
            return codes[0] != codes[1] or (start.encode() <= high and end.encode() >= low)

        found: Dict[str, Set[int]] = {}
        for node in self._nodes("term", may_hold):
            reader = Bytes(inflate(self._slice("term", node)))
            term = b""
            while reader.at < len(reader.data):
                term = term[: reader.varint()] + reader.raw(reader.varint())
                count, gaps = reader.varint(), Bytes(reader.raw(reader.varint()))
                if low <= term <= high:
                    own, number = found.setdefault(term.decode(), set()), -1
                    for _ in range(count):
                        number += gaps.varint() + 1
                        own.add(number)
        return iter(sorted(found.items(), key=lambda item: item[0].encode()))

    # Files

    def _slice(self, kind: str, node: Node) -> bytes:
        return self._dataset._slice(f"{self.name}/_{kind}/{node['pack']}.pack", node)

    def _nodes(self, run: str, wanted: Callable[[Node], bool]) -> Iterator[Node]:
        """Nodes of a run's slices, in the order of the index. Leaves out nodes for which `wanted` is false, and all below."""

        seen: Set[str] = set()

        def walk(nodes: Sequence[Node], depth: int) -> Iterator[Node]:
            for node in nodes:
                if not wanted(node):
                    continue
                if "partitions" not in node:
                    yield node
                    continue
                if depth > MAX_DEPTH or node["sha256"] in seen:
                    raise CairnError(f"the index of {self.name} has a page twice, or more than {MAX_DEPTH} pages deep")
                seen.add(node["sha256"])
                below = json.loads(inflate(self._slice("pages", node), most=MAX_PAGE))
                check_nodes(below)
                check_page(node, below)
                yield from walk(below, depth + 1)

        return walk(self._about["runs"].get(run, {"nodes": []})["nodes"], 1)

    def _records(self, addresses: Sequence[int]) -> List[Row]:
        """Records by address, as new dicts."""
        needed = {divmod(address // GROUP_NUMBERS, CHUNK_BLOCKS) for address in addresses} - self._groups.keys()
        chunks = {chunk for chunk, _ in needed}
        nodes = {node["chunk"]: node for node in self._chunks(chunks)}
        for chunk, block in sorted(needed):
            if chunk not in nodes:
                raise CairnError(f"{self.name} has no chunk {chunk} of records")
            self._groups[chunk, block] = self._group(nodes[chunk], block)
        rows = []
        for address in addresses:
            group = self._groups[divmod(address // GROUP_NUMBERS, CHUNK_BLOCKS)]
            if address % GROUP_NUMBERS >= len(group):
                raise CairnError(f"{self.name} has no record at {address}")
            rows.append(dict(group[address % GROUP_NUMBERS]))
        return rows

    def _chunks(self, wanted: Set[int]) -> Iterator[Node]:
        """Nodes of the chunks of records with these numbers. A chunk's number is the number of chunks before it."""
        before = 0

        def may_hold(node: Node) -> bool:
            nonlocal before
            if "partitions" not in node:
                return node["chunk"] in wanted
            start, before = before, before + node["partitions"]
            return any(start <= chunk < before for chunk in wanted)

        return self._nodes("records", may_hold) if wanted else iter(())

    def _parts(self, chunk: int, first: int, wanted: Sequence[int]) -> Dict[int, bytes]:
        """Bytes of the wanted parts of a long geometry, by index. `first` is the block of its first part in the chunk."""
        if not wanted:
            return {}
        node = next(self._chunks({chunk}), None)
        if node is None:
            raise CairnError(f"{self.name} has no chunk {chunk} of records")
        path, start = f"{self.name}/_records/{node['pack']}.pack", node["offset"] + (first + wanted[0]) * BLOCK
        end = min(node["offset"] + (first + wanted[-1] + 1) * BLOCK, node["offset"] + node["bytes"])
        data = self._dataset._read(path, (start, end))
        found = {}
        for part in wanted:
            at = (part - wanted[0]) * BLOCK
            _, [(_, found[part])] = self._content(data[at : at + BLOCK], first + part)
        return found

    def _group(self, node: Node, block: int) -> List[Row]:
        path, start = f"{self.name}/_records/{node['pack']}.pack", node["offset"] + block * BLOCK
        end = node["offset"] + node["bytes"]
        data = self._dataset._read(path, (start, min(start + BLOCK, end)))
        size = HEADER + struct.unpack_from("<I", data, 8)[0] if len(data) >= HEADER else HEADER
        if size > max(end - start, 0):
            raise CairnError(f"{path} is damaged from byte {start} on")
        if size > BLOCK:
            # No zeros follow the last group of a chunk.
            data += self._dataset._read(path, (start + BLOCK, min(start - (-size // BLOCK) * BLOCK, end)))
        blocks, stored = self._content(data, block)
        rows = []
        for text, geometry in stored:
            row = json.loads(text)
            if geometry[:1] == PARTS:
                table = Parts(geometry)
                parts = self._parts(node["chunk"], block + blocks, range(len(table.boxes)))
                row["geometry"] = table.join(parts)
            else:
                row["geometry"] = read_twkb(geometry)
            row["country"] = node["country"]
            rows.append(row)
        return rows

    def _content(self, data: bytes, block: int) -> Tuple[int, List[Tuple[bytes, bytes]]]:
        """The number of blocks of a group, and the text and the geometry of each of its rows."""
        content = Bytes(open_block(data, block))
        uuids = content.raw(16 * content.varint())
        if self._dictionary is None:
            self._dictionary = inflate(self._slice("dictionary", self._about["dictionary"]), most=MAX_DICTIONARY)
        reader = Bytes(inflate(content.data[content.at :], self._dictionary))
        count = reader.varint()
        if count > GROUP_NUMBERS:
            raise CairnError(f"a group has {count} rows, expected at most {GROUP_NUMBERS}")
        lengths = [(reader.varint(), reader.varint()) for _ in range(count)]
        texts = [reader.raw(length) for length, _ in lengths]
        read = 0

        def uuid(_: Any) -> bytes:
            nonlocal read
            reference = reader.varint()
            rank, read = (read, read + 1) if reference == 0 else (read - reference, read)
            text = uuids[16 * rank : 16 * rank + 16].hex()
            return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}".encode()

        texts = [re.sub(b"\x01", uuid, text) for text in texts]
        return -(-len(data) // BLOCK), [(text, reader.raw(length)) for text, (_, length) in zip(texts, lengths)]


def country_range(node: Node) -> Tuple[str, str]:
    """The lowest and the highest country of a slice, or below a page."""
    return (node["country"], node["country"]) if "country" in node else (node["first"][0], node["last"][0])


def term_range(node: Node) -> Tuple[str, str]:
    """The lowest and the highest term of a slice, or below a page."""
    return (node["first_term"], node["last_term"]) if "first_term" in node else (node["first"][1], node["last"][1])


def texts_of(row: Row) -> List[str]:
    """The texts by whose words `name` finds a row: its names, and the parts of an address."""
    names = row.get("names") or {}
    texts = [names.get("primary"), *(names.get("common") or {}).values()]
    texts += [rule.get("value") for rule in names.get("rules") or [] if rule]
    texts += [row.get(part) for part in ("number", "street", "unit", "postcode", "postal_city")]
    texts += [level.get("value") for level in row.get("address_levels") or [] if level]
    return [text for text in texts if text]
