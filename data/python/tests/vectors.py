"""Compares this reader with the test vectors of the specification: `python3 tests/vectors.py [folder of the vectors]`."""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import cairn_reader  # noqa: E402
from cairn_reader._geometry import distance, js_round  # noqa: E402
from cairn_reader._words import words_of  # noqa: E402

VECTORS = Path(sys.argv.pop(1) if len(sys.argv) > 1 else Path(__file__).parents[2] / "spec" / "vectors")


def load(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def answer(dataset, question):
    """The answer in the form of the vectors. None for a kind of question that this reader does not know."""
    collection = dataset.collection(question["collection"])
    if "get" in question:
        row = collection.get(question["get"])
        return {"row": row and {name: row[name] for name in ("id", "country", "geometry")}}
    if "cells" in question:
        return None
    asked = {"class_" if name == "class" else name: value for name, value in question["search"].items()}
    found = collection.search(**asked)
    rows = [{"id": row["id"], **({"distance": row["ext_distance"]} if "lat" in asked else {})} for row in found]
    return {"total": found.total, "rows": rows}


class Vectors(unittest.TestCase):
    def test_questions(self):
        dataset = cairn_reader.open(str(VECTORS / "dataset"))
        asked = 0
        for vector in load("questions.json"):
            found = answer(dataset, vector)
            if found is not None:
                asked += 1
                self.assertEqual(found, vector["answer"], vector)
        self.assertGreater(asked, 80)

    def test_folding(self):
        for vector in load("folding.json"):
            self.assertEqual(words_of(vector["text"]), vector["words"], vector)

    def test_distances(self):
        for vector in load("distances.json"):
            lng, lat = vector["from"]
            found = js_round(distance(lat, lng, vector["geometry"]) * 1000) / 1000
            self.assertEqual(found, vector["distance"], vector)

    def test_additions(self):
        for vector in load("additions.json"):
            with self.subTest(vector["name"]), tempfile.TemporaryDirectory() as folder:
                patch(Path(folder), vector)
                self.assertEqual(answer(cairn_reader.open(folder), vector["question"]), vector["answer"])

    def test_invalid(self):
        for vector in load("invalid.json"):
            with self.subTest(vector["name"]), tempfile.TemporaryDirectory() as folder:
                patch(Path(folder), vector)
                with self.assertRaises(cairn_reader.CairnError):
                    dataset = cairn_reader.open(folder)
                    if "question" in vector:
                        answer(dataset, vector["question"])


def patch(folder, vector):
    shutil.copytree(VECTORS / "dataset", folder, dirs_exist_ok=True)
    for change in sorted(vector["patches"], key=lambda each: -each["offset"]):
        path = folder / change["file"]
        data = path.read_bytes()
        written = bytes.fromhex(change["hex"]) if "hex" in change else change["text"].encode()
        start, end = change["offset"], change["offset"] + change["length"]
        path.write_bytes(data[:start] + written * change.get("repeat", 1) + data[end:])
    for name in vector.get("missing", []):
        (folder / name).unlink()


if __name__ == "__main__":
    unittest.main()
