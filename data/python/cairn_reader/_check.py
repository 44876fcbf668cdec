"""Checks of the manifest and of the nodes of the index, which are untrusted."""

from __future__ import annotations

import math
import re
from typing import Any, Dict, Sequence

from ._bytes import MAX_SLICE, CairnError

HASH, PACK = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{16}")
PRIMARY_PACK = re.compile(r"(-|[0-9b-hjkmnp-z]{1,12})/[0-9a-f]{16}")
COUNTRY, ANY_COUNTRY = re.compile(r"[A-Z]{2}"), re.compile(r"[A-Z]{2}|\*")
COLLECTION = re.compile(r"[a-z][a-z0-9_]{0,39}")
KNOWN_RUNS = ("location", "records", "ids", "term", "find", "table")
WHOLE_RUNS = ("location", "records", "ids", "find")
BY_COUNTRY = ("location", "records", "ids")
MAX_ROWS = 1 << 20


def require(holds: bool, message: str) -> None:
    if not holds:
        raise CairnError(f"the index is wrong: {message}")


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_slice(part: Dict[str, Any], pack: re.Pattern[str] = PACK) -> None:
    require(bool(HASH.fullmatch(str(part.get("sha256")))), f"sha256 is {part.get('sha256')!r}")
    require(bool(pack.fullmatch(str(part.get("pack")))), f"pack is {part.get('pack')!r}")
    require(is_count(part.get("offset")), f"offset is {part.get('offset')!r}")
    require(is_count(part.get("bytes")) and part["bytes"] <= MAX_SLICE, f"bytes is {part.get('bytes')!r}")


def check_nodes(nodes: Sequence[Dict[str, Any]]) -> None:
    """Raises CairnError if a node is invalid."""
    for node in nodes:
        check_slice(node, PRIMARY_PACK if "points" in node else PACK)
        most = None if "partitions" in node else MAX_ROWS
        rows_fit = is_count(node.get("rows")) and (most is None or node["rows"] <= most)
        require(rows_fit, f"rows is {node.get('rows')!r}")
        box = node.get("bbox")
        finite = isinstance(box, list) and all(isinstance(side, (int, float)) and math.isfinite(side) for side in box)
        require(finite and len(box or []) == 4, f"bbox is {box!r}")
        if "points" in node:
            check_slice(node["points"])
            require(is_count(node.get("record")), f"record is {node.get('record')!r}")
        if "partitions" not in node:
            require(bool(ANY_COUNTRY.fullmatch(str(node.get("country")))), f"country is {node.get('country')!r}")


def check_manifest(manifest: Dict[str, Any]) -> None:
    """Raises CairnError if a member or a sum of the manifest is wrong."""
    try:
        rejects = manifest["rejects"]
        require(sum(rejects["reasons"].values()) == rejects["rows"], f"rejects has {rejects['rows']} rows, its reasons not")
        for name, about in manifest["collections"].items():
            require(bool(COLLECTION.fullmatch(name)), f"a collection is named {name!r}")
            check_collection(name, about)
    except (KeyError, TypeError, AttributeError) as error:
        raise CairnError(f"the index is wrong: {error!r}") from error


def check_collection(name: str, about: Dict[str, Any]) -> None:
    countries, rows = about["countries"], about["rows"]
    require(all(COUNTRY.fullmatch(code) for code in countries), f"{name} has countries {list(countries)}")
    require(sum(countries.values()) == rows, f"{name} has {rows} rows, its countries have {sum(countries.values())}")
    for firsts in ("segments", "chunks"):
        require(sorted(about[firsts]) == sorted(countries), f"{firsts} of {name} has other countries")
    check_slice(about["dictionary"])
    for run in [run for run in about["runs"] if run in KNOWN_RUNS]:
        nodes = about["runs"][run]["nodes"]
        check_nodes(nodes)
        found = sum(node.get("partitions", 1) for node in nodes)
        stated = about["runs"][run]["partitions"]
        require(found == stated, f"{name} has {stated} partitions of {run}, its nodes have {found}")
        in_nodes = sum(node["rows"] for node in nodes)
        require(run not in WHOLE_RUNS or in_nodes == rows, f"{name} has {rows} rows, its nodes of {run} have {in_nodes}")
        # An entry of a page does not contain the bytes and countries below it.
        if any("partitions" in node for node in nodes):
            continue
        size = sum(node["bytes"] for node in nodes)
        require(size == about["runs"][run]["bytes"], f"{name} has {about['runs'][run]['bytes']} bytes of {run}, its nodes {size}")
        if run in BY_COUNTRY:
            in_nodes = {code: 0 for code in countries}
            for node in nodes:
                in_nodes[node["country"]] += node["rows"]
            require(in_nodes == countries, f"{name} has {countries} rows by country, its nodes of {run} have {in_nodes}")
        if run == "ids":
            check_numbers(name, "segment", about["segments"], nodes)
        if run == "records":
            check_numbers(name, "chunk", about["chunks"], nodes)


def check_numbers(name: str, kind: str, firsts: Dict[str, int], nodes: Sequence[Dict[str, Any]]) -> None:
    """Raises CairnError if segments or chunks are not numbered from 0 without gaps, or start at a wrong row."""
    starts: Dict[str, int] = {}
    for number, node in enumerate(nodes):
        country = node["country"]
        require(node[kind] == number, f"{name} has {kind} {node[kind]} in place of {number}")
        if country not in starts:
            require(firsts[country] == number, f"{name} starts {country} at {firsts[country]}, its nodes at {number}")
        start = starts.get(country, 0)
        require(node.get("start", start) == start, f"{kind} {number} of {name} starts at {node.get('start')}")
        starts[country] = start + node["rows"]


def check_page(page: Dict[str, Any], nodes: Sequence[Dict[str, Any]]) -> None:
    """Raises CairnError if the nodes of a page do not have the rows and slices of its entry."""
    rows = sum(node["rows"] for node in nodes)
    partitions = sum(node.get("partitions", 1) for node in nodes)
    require(rows == page["rows"], f"a page is entered with {page['rows']} rows, its nodes have {rows}")
    require(partitions == page["partitions"], f"a page is entered with {page['partitions']} slices, it has {partitions}")
