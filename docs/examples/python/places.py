"""Prints how many places a dataset has in each country: python places.py <dataset>"""
import sys

import duckdb

files = f"{sys.argv[1]}/place/country=*/geohash=*/*.parquet"
places = duckdb.read_parquet(files, hive_partitioning=True)
for country, count in places.aggregate("country, count(*) AS places").order("places DESC").fetchall():
    print(country, count)
