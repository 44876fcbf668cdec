"""Rows of a country, as a line of JSON each: python read_location.py pyarrow|geopandas|polars <collection folder> <country> [west south east north]"""
import json
import sys

library, folder, country, *edges = sys.argv[1:]
box = [float(edge) for edge in edges] or None


def told(ids, names, geometries):
    for id, name, wkb in zip(ids, names, geometries):
        print(json.dumps({"id": id, "name": (name or {}).get("primary"), "wkb": wkb}))


if library == "pyarrow":
    import pyarrow.dataset as ds

    wanted = ds.field("country") == country
    if box:
        west, south, east, north = box
        edge = lambda name: ds.field("bbox", name)
        wanted &= (edge("xmin") <= east) & (edge("xmax") >= west) & (edge("ymin") <= north) & (edge("ymax") >= south)
    rows = ds.dataset(folder, partitioning="hive").to_table(columns=["id", "names", "geometry"], filter=wanted)
    columns = rows.to_pydict()
    told(columns["id"], columns["names"], [wkb.hex() for wkb in columns["geometry"]])
elif library == "polars":
    import polars

    # the folder has files of other kinds too, which polars refuses
    rows = polars.scan_parquet(f"{folder}/**/*.parquet", hive_partitioning=True)
    wanted = polars.col("country") == country
    if box:
        west, south, east, north = box
        edge = polars.col("bbox").struct.field
        wanted &= (edge("xmin") <= east) & (edge("xmax") >= west) & (edge("ymin") <= north) & (edge("ymax") >= south)
    rows = rows.filter(wanted).select("id", "names", "geometry").collect()
    told(rows["id"], rows["names"], [wkb.hex() for wkb in rows["geometry"]])
else:
    import geopandas

    rows = geopandas.read_parquet(
        folder, columns=["id", "names", "geometry"], filters=[("country", "==", country)], bbox=tuple(box) if box else None
    )
    told(rows["id"], rows["names"], [geometry.wkb_hex for geometry in rows.geometry])
