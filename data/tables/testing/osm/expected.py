"""Writes what pyosmium (libosmium) finds in an extract: one line of JSON per object with a main tag, and its geometry.

    pip install osmium
    python expected.py town.osm.pbf ../../../../node_modules/osm-polygon-features/polygon-features.json main-keys.json

Objects whose geometry libosmium refuses have the geometry null. Coordinates are rounded to 7 decimal places.
"""
import json
import sys

import osmium

extract, rules_path, keys_path = sys.argv[1:4]
rules = {rule["key"]: rule for rule in json.load(open(rules_path))}
main_keys = json.load(open(keys_path))


def has_main(tags):
    return any(tags.get(key) not in (None, "no", "") for key in main_keys)


def is_area(tags):
    if "area" in tags:
        return tags["area"] != "no"
    for tag in tags:
        rule = rules.get(tag.k)
        if rule is None or tag.v == "no":
            continue
        listed = tag.v in rule.get("values", [])
        if rule["polygon"] == "all" or listed == (rule["polygon"] == "whitelist"):
            return True
    return False


def rounded(value):
    return [rounded(one) for one in value] if isinstance(value, list) else round(value, 7)


def geometry(make, item):
    try:
        found = json.loads(make(item))
        return {"type": found["type"], "coordinates": rounded(found["coordinates"])}
    except (RuntimeError, osmium.InvalidLocationError):
        return None


def line(way):
    """The parts of the way whose nodes are in the extract."""
    parts = [[]]
    for node in way.nodes:
        if not node.location.valid():
            parts.append([])
        elif not parts[-1] or parts[-1][-1] != [round(node.lon, 7), round(node.lat, 7)]:
            parts[-1].append([round(node.lon, 7), round(node.lat, 7)])
    parts = [part for part in parts if len(part) > 1]
    if len(parts) > 1:
        return {"type": "MultiLineString", "coordinates": parts}
    return {"type": "LineString", "coordinates": parts[0]} if parts else None


found = {}
factory = osmium.geom.GeoJSONFactory()
for item in osmium.FileProcessor(extract).with_locations().with_areas():
    if not has_main(item.tags):
        continue
    tags = {tag.k: tag.v for tag in item.tags}
    if item.is_node():
        found[f"node/{item.id}"] = [tags, geometry(factory.create_point, item)]
    elif item.is_way():
        if not (item.is_closed() and len(item.nodes) > 3 and is_area(item.tags)):
            found[f"way/{item.id}"] = [tags, line(item)]
        else:
            found.setdefault(f"way/{item.id}", [tags, None])
    elif item.is_relation():
        found.setdefault(f"relation/{item.id}", [tags, None])
    elif item.is_area():
        if item.from_way() and not is_area(item.tags):
            continue
        key = f"{'way' if item.from_way() else 'relation'}/{item.orig_id()}"
        found[key] = [tags, geometry(factory.create_multipolygon, item)]
for key in sorted(found):
    print(json.dumps([key, *found[key]], ensure_ascii=False, separators=(",", ":")))
