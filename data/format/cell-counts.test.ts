import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { bboxContains } from "./bbox.ts";
import { type CellBlock, outwardBox, readCellCounts, termsOfCells, writeCellCounts } from "./cell-counts.ts";
import { cellBox, cellFacetsOf, cellOf, cellTerm, storedColumnsOf, TOTAL } from "./cell-levels.ts";
import { COLLECTIONS } from "./collections.ts";
import { encodeGeohash, spellGeohash } from "./geohash.ts";
import { ownCollection } from "./own-collections.ts";
import { ByteWriter } from "./varint.ts";

const deflate = (bytes: Uint8Array) => new Uint8Array(deflateRawSync(bytes));
const large = { number: 70_000, fineCell: 2 ** 29 + 5, bbox: [-1.5, -2.25, 3.125, 4.0625] as const };
const BLOCKS: readonly CellBlock[] = [
  {
    facet: "primary",
    values: ["café", "bar"],
    sections: [
      { bits: 5, sizeClass: 0, cells: [0, 31], sizes: [2, 1], codes: [0, 1, 1], counts: [7, 1, 300] },
      { bits: 30, sizeClass: 0, cells: [3, 2 ** 30 - 1], sizes: [3, 1], codes: [1, 0], counts: [1, 0, 0, 1] },
    ],
  },
  {
    facet: TOTAL,
    values: [],
    sections: [
      { bits: 25, sizeClass: 1, cells: [4], sizes: [], codes: [], counts: [9] },
      { bits: 20, sizeClass: 1, cells: [2], sizes: [], codes: [], counts: [1], figures: [large] },
    ],
  },
];

test("a slice is read as it was written, boxes rounded outwards", () => {
  const read = readCellCounts(writeCellCounts(BLOCKS, deflate));
  const bbox = outwardBox(large.bbox);
  const expected = structuredClone(BLOCKS) as typeof BLOCKS;
  const last = expected[1]?.sections[1] as unknown as { figures: { bbox: unknown }[] };
  for (const figure of last.figures) figure.bbox = bbox;
  expect(read.blocks).toEqual(expected);
  expect(read.cells).toBe(6);
  expect(bbox.map((edge, axis) => (edge - (large.bbox[axis] ?? 0)) * (axis < 2 ? -1 : 1) > 0)).toEqual(
    Array(4).fill(true),
  );
  expect(bbox.every((edge, axis) => Math.abs(edge - (large.bbox[axis] ?? 0)) < 3e-5)).toBe(true);
  expect(outwardBox([-180, -90, 180, 90])).toEqual([-180, -90, 180, 90]);
  expect(termsOfCells(BLOCKS)).toEqual(["primary 050 0000000000000", "total 201 0000080000000"]);
});

test("damaged slices are refused", () => {
  const bytes = (...numbers: readonly number[]) => {
    const out = new ByteWriter();
    for (const number of numbers) out.varint(number);
    return deflate(out.bytes());
  };
  const X = "x".charCodeAt(0);
  for (const [numbers, message] of [
    [[1, X, 0, 1, 51, 0, 0], "51 bits"],
    [[1, X, 0, 1, 5, 4, 0], "size class 4"],
    [[1, X, 0, 1, 5, 0, 1, 32, 1], "5 bits has cell 32"],
    [[1, X, 0, 1, 5, 0, 1, 3, 9, 1], "claims 9 items in 1 bytes"],
    [[1, X, 0, 1, 5, 0, 1, 3, 1, 2, 0], "value 0 of 0"],
    [[1, X, 0, 200], "claims 200 items in 0 bytes"],
    [[1, X, 0, 1, 5, 0], "the bytes end"],
  ] as const) {
    expect(() => readCellCounts(bytes(...numbers)), message).toThrow(message);
  }
});

test("a cell's box contains the positions with its geohash", () => {
  for (const [lon, lat] of [
    [7.42, 43.73],
    [-180, -90],
    [180, 90],
    [0, 0],
    [-105.27, 40.01],
  ] as const) {
    const geohash = encodeGeohash(lon, lat);
    for (const bits of [0, 5, 20, 25, 30])
      expect(bboxContains(cellBox(cellOf(geohash, bits), bits), lon, lat)).toBe(true);
  }
  expect(spellGeohash(encodeGeohash(7.42, 43.73), 25)).toBe("spv2b");
});

test("terms sort by facet, bits, size class and cell", () => {
  const terms = [
    cellTerm("primary", { bits: 5, sizeClass: 0, cell: 31 }),
    cellTerm("primary", { bits: 5, sizeClass: 1, cell: 0 }),
    cellTerm("primary", { bits: 30, sizeClass: 0, cell: 1 }),
    cellTerm("primary", { bits: 30, sizeClass: 0, cell: 2 }),
    cellTerm(TOTAL, { bits: 0, sizeClass: 3, cell: 0 }),
  ];
  expect([...terms].sort()).toEqual(terms);
});

test("each collection counts its facets", () => {
  const namesOf = (name: keyof typeof COLLECTIONS) => cellFacetsOf(COLLECTIONS[name]).map((facet) => facet.name);
  expect(namesOf("place")).toEqual(["alternate", "brand", "confidence", "primary"]);
  expect(namesOf("address")).toEqual([]);
  expect(namesOf("segment")).toEqual(["class", "subtype"]);
  expect(namesOf("division")).toEqual(["class", "level", "subtype"]);
  const shops = ownCollection("shops", {
    columns: [
      { name: "kind of shop", type: "text", role: "category", hasTerms: true },
      { name: "tags", type: "list", hasTerms: true },
      { name: "price", type: "number" },
    ],
  });
  expect(cellFacetsOf(shops).map(({ name, isSingle }) => [name, isSingle])).toEqual([
    ["alternate", false],
    ["column.kind%20of%20shop", true],
    ["column.tags", false],
    ["primary", true],
  ]);
  expect(storedColumnsOf(shops)).toEqual(["kind of shop", "tags"]);
  const place = { categories: { primary: "bar", alternate: ["cafe", "bar", ""] }, confidence: 0.3, brand: null };
  const values = cellFacetsOf(COLLECTIONS.place).map(({ name, valuesOf }) => [name, ...valuesOf(place)]);
  expect(values).toEqual([["alternate", "cafe"], ["brand"], ["confidence", "3"], ["primary", "bar"]]);
});
