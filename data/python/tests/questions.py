"""Answers questions about a dataset: JSON lines on standard input, one answer per line on standard output."""

import json
import sys

import cairn_reader

dataset = cairn_reader.open(sys.argv[1])
for line in sys.stdin:
    question = json.loads(line)
    collection = dataset.collection(question.pop("collection"))
    try:
        if "id" in question:
            row = collection.get(question["id"])
            answer = {"ids": [row["id"]] if row else []}
        else:
            found = collection.search(**question)
            answer = {
                "total": found.total,
                "ids": [row["id"] for row in found],
                "metres": [row.get("ext_distance") for row in found],
                "names": [(row.get("names") or {}).get("primary") for row in found],
                "geometries": [row["geometry"] for row in found],
            }
    except cairn_reader.CairnError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer))
