"""Geometry: TWKB, fine points and WKB as GeoJSON, and distances on a sphere."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any, Dict, List, Tuple

from ._bytes import Bytes, CairnError

EARTH_RADIUS_METERS = 6_371_008.8
Geometry = Dict[str, Any]


def read_twkb(data: bytes) -> Geometry:
    """Reads TWKB, a fine point or WKB as a GeoJSON geometry."""
    if data[:1] == b"\x03":
        reader = Bytes(data[1:])
        x, y, digits = reader.signed(), reader.signed(), reader.varint()
        if digits > 99 or reader.at < len(reader.data):
            raise CairnError(f"a fine point has digits {digits}, expected at most 99 and no more bytes")
        return {"type": "Point", "coordinates": [(10 * x + digits // 10) / 1e8, (10 * y + digits % 10) / 1e8]}
    if data[:1] in (b"\x00", b"\x01"):
        return read_wkb(data, [0])
    return read_tiny(Bytes(data))


NAMES = ["", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"]
DEPTH = {"Point": 0, "LineString": 1, "Polygon": 2, "MultiPoint": 1, "MultiLineString": 2, "MultiPolygon": 3}


MAX_NESTED = 8


def read_tiny(reader: Bytes, depth: int = 0) -> Geometry:
    if depth > MAX_NESTED:
        raise CairnError(f"geometry collections are nested deeper than {MAX_NESTED}")
    head = reader.raw(2)
    kind, place = NAMES[head[0] & 15], [0, 0]
    scale = 10 ** ((head[0] >> 5) ^ -(head[0] >> 4 & 1))

    def read(depth: int) -> Any:
        if depth:
            return [read(depth - 1) for _ in range(reader.varint())]
        place[0] += reader.signed()
        place[1] += reader.signed()
        return [place[0] / scale, place[1] / scale]

    if kind == "GeometryCollection":
        return {"type": kind, "geometries": [read_tiny(reader, depth + 1) for _ in range(reader.varint())]}
    return {"type": kind, "coordinates": read(DEPTH[kind])}


SCALE = 1e7
MAX_PARTS = 65_536
# What a part contains. A member is a line or a polygon.
PATHS, HOLES, MEMBER, HOLE, FURTHER = range(5)


class Parts:
    """The table of a long geometry: the form, first vertex and box of each part."""

    def __init__(self, data: bytes) -> None:
        reader = Bytes(data)
        self.kind, x, y = NAMES[reader.raw(10)[1] & 15], 0, 0
        self.parts: List[Tuple[int, int, int]] = []
        self.boxes: List[List[float]] = []
        count = reader.varint()
        if count > MAX_PARTS:
            raise CairnError(f"a geometry of {count} parts, expected at most {MAX_PARTS}")
        for _ in range(count):
            form, x, y = reader.varint(), x + reader.signed(), y + reader.signed()
            west, south, east, north = (reader.varint() for _ in range(4))
            self.parts.append((form, x, y))
            self.boxes.append([(x - west) / SCALE, (y - south) / SCALE, (x + east) / SCALE, (y + north) / SCALE])
        sides = list(zip(*self.boxes))
        self.box = [min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])]

    def join(self, contents: Dict[int, bytes]) -> Geometry:
        """Returns the geometry from the bytes of its parts by index. A missing part changes it only in the part's box."""
        members: List[List[List[List[float]]]] = []
        has_member = False
        path: List[List[float]] = []

        def add(starts_member: bool, own: List[List[float]]) -> List[List[float]]:
            nonlocal has_member
            if not starts_member and not has_member:
                members.append([own[:1]])  # the polygon of this hole is left out
            if starts_member:
                members.append([own])
            else:
                members[-1].append(own)
            has_member = True
            return own

        for index, (form, x, y) in enumerate(self.parts):
            reader = Bytes(contents.get(index, b""))
            if form in (PATHS, HOLES):
                has_member = has_member and (form == HOLES or index in contents)
                while reader.at < len(reader.data):
                    count, own = reader.varint(), []
                    for _ in range(count // 2):
                        x, y = x + reader.signed(), y + reader.signed()
                        own.append([x / SCALE, y / SCALE])
                    add(count % 2 == 1, own)
                continue
            start = [x / SCALE, y / SCALE]
            if form == FURTHER:
                path.append(start)
            else:
                path = add(form == MEMBER, [start])
            while reader.at < len(reader.data):
                x, y = x + reader.signed(), y + reader.signed()
                path.append([x / SCALE, y / SCALE])
            is_last = index + 1 == len(self.parts) or self.parts[index + 1][0] != FURTHER
            if is_last and index not in contents and "Polygon" in self.kind:
                path.append(path[0])
        found: Any = members if "Polygon" in self.kind else [path for member in members for path in member]
        return {"type": self.kind, "coordinates": found if self.kind.startswith("Multi") else (found or [[]])[0]}


def read_wkb(data: bytes, at: List[int]) -> Geometry:
    order = "<" if data[at[0]] else ">"
    kind = NAMES[struct.unpack_from(order + "I", data, at[0] + 1)[0]]
    at[0] += 5

    def read(depth: int) -> Any:
        if depth == 0:
            at[0] += 16
            return list(struct.unpack_from(order + "2d", data, at[0] - 16))
        at[0] += 4
        return [read(depth - 1) for _ in range(struct.unpack_from(order + "I", data, at[0] - 4)[0])]

    if not kind.startswith(("Multi", "Geometry")):
        return {"type": kind, "coordinates": read(DEPTH[kind])}
    at[0] += 4
    members = [read_wkb(data, at) for _ in range(struct.unpack_from(order + "I", data, at[0] - 4)[0])]
    if kind == "GeometryCollection":
        return {"type": kind, "geometries": members}
    return {"type": kind, "coordinates": [member["coordinates"] for member in members]}


def metres_between(lat1: float, lng1: float, lat2: float, lng2: float) -> float:
    """Metres between two positions in degrees, on a sphere with the mean radius of the earth."""
    sine, half = math.sin(math.radians(lat2 - lat1) / 2), math.radians(lng2 - lng1) / 2
    cosines = math.cos(math.radians(lat1)) * math.cos(math.radians(lat2))
    haversine = sine * sine + cosines * math.sin(half) ** 2
    if haversine <= 0.5:
        return 2 * EARTH_RADIUS_METERS * math.asin(math.sqrt(haversine))
    opposite = math.sin(math.radians(lat2 + lat1) / 2) ** 2 + cosines * math.cos(half) ** 2
    return EARTH_RADIUS_METERS * (math.pi - 2 * math.asin(math.sqrt(min(1.0, opposite))))


def distance(lat: float, lng: float, geometry: Geometry) -> float:
    """Metres from a point to the nearest position of a geometry, 0 inside a polygon. Edges are straight in degrees."""
    kind = geometry["type"]
    if kind == "GeometryCollection":
        return min((distance(lat, lng, member) for member in geometry["geometries"]), default=math.inf)
    shape = geometry["coordinates"]
    if kind == "Point":
        return metres_between(lat, lng, shape[1], shape[0])
    if kind == "MultiPoint":
        return min((metres_between(lat, lng, y, x) for x, y in shape), default=math.inf)
    if "Polygon" not in kind:
        return min(
            (to_line(lat, lng, line) for line in (shape if kind.startswith("Multi") else [shape])), default=math.inf
        )
    best = math.inf
    for polygon in shape if kind == "MultiPolygon" else [shape]:
        for x in (-180.0, 180.0) if abs(lng) == 180 else (lng,):
            if sum(is_in_ring(lat, x, ring) for ring in polygon) % 2:
                return 0.0
        best = min([best, *(to_line(lat, lng, ring) for ring in polygon)])
    return best


def is_in_ring(lat: float, lng: float, ring: Sequence[Sequence[float]]) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
        if (y1 > lat) != (y2 > lat) and lng < (x2 - x1) * (lat - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def to_line(lat: float, lng: float, line: Sequence[Sequence[float]]) -> float:
    ends = [metres_between(lat, lng, y, x) for x, y in line]
    best = min(ends, default=math.inf)
    for ((x1, y1), (x2, y2)), near, far in zip(zip(line, line[1:]), ends, ends[1:]):
        best = to_edge(lat, lng, (x1, y1, x2, y2), near, far, best)
    return best


def to_edge(
    lat: float, lng: float, edge: Tuple[float, float, float, float], near: float, far: float, best: float
) -> float:
    x1, y1, x2, y2 = edge
    length = EARTH_RADIUS_METERS * math.radians(abs(y2 - y1) + abs(x2 - x1))
    if (near + far - length) / 2 >= best:
        return best
    if max(abs(x2 - x1), abs(y2 - y1)) > 0.25:
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        middle = metres_between(lat, lng, y, x)
        best = to_edge(lat, lng, (x1, y1, x, y), near, middle, min(best, middle))
        return to_edge(lat, lng, (x, y, x2, y2), middle, far, best)
    low, high = 0.0, 1.0  # a short edge has one nearest position
    for _ in range(60):
        a, b = low + (high - low) * 0.382, low + (high - low) * 0.618
        at = [metres_between(lat, lng, y1 + t * (y2 - y1), x1 + t * (x2 - x1)) for t in (a, b)]
        low, high = (low, b) if at[0] < at[1] else (a, high)
        best = min(best, *at)
    return best


def box_of(geometry: Geometry) -> List[float]:
    """The box `[west, south, east, north]` of a geometry in degrees, the north pole if it is empty."""
    xs: List[float] = []
    ys: List[float] = []

    def take(member: Any) -> None:
        if member and isinstance(member[0], float):
            xs.append(member[0])
            ys.append(member[1])
        else:
            for each in member:
                take(each)

    for each in geometry.get("geometries", [geometry]):
        take(each["coordinates"])
    return [min(xs), min(ys), max(xs), max(ys)] if xs else [0.0, 90.0, 0.0, 90.0]


def box_distance(lat: float, lng: float, box: Sequence[float]) -> float:
    """A lower bound of the metres from a point to a box `[west, south, east, north]`, 0 inside it."""
    west, south, east, north = box
    width = east - west if west <= east else 360 + east - west
    offset = (lng - west) % 360
    y = min(north, max(south, lat))
    if offset <= width:
        return metres_between(lat, lng, y, lng)
    x = math.radians(min(offset - width, 360 - offset))
    if x > math.pi / 2:
        return 0.0
    # The distance to the whole meridian is not longer than that to its part.
    return EARTH_RADIUS_METERS * math.asin(math.sin(x) * math.cos(math.radians(lat)))


def js_round(value: float) -> int:
    """Rounds halves up, as JavaScript does."""
    return math.floor(value + 0.5)
