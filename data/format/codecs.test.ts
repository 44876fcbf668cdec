import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES, BLOCK_HEADER_BYTES, blockBytesOf, openTail, sealBlock, sealLast, sealTail } from "./blocks.ts";
import { bboxOf, type Geometry } from "./geometry.ts";
import { checkSections, readSections, writeSections } from "./point-sections.ts";
import { openSection, readPoints, writePoints } from "./points.ts";
import { readPostings, writePostings } from "./postings.ts";
import {
  addressGroups,
  CHUNK_BLOCKS,
  type GroupSize,
  MAX_GROUP_ROWS,
  openGroup,
  recordAddressOf,
  recordPositionOf,
  writeGroup,
} from "./records.ts";
import { readTable, writeTable } from "./tables.ts";
import { writeTwkb } from "./twkb.ts";
import { writeWkb } from "./write-wkb.ts";

const deflate = (bytes: Uint8Array, dictionary?: Uint8Array): Uint8Array =>
  new Uint8Array(deflateRawSync(bytes, dictionary ? { dictionary } : {}));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const dictionary = utf8('{"id":"","names":{"primary":""}}');

/** Incompressible bytes, reproducible by seed. */
function noise(length: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 24;
  });
}

test("an address encodes a record's position, and addresses are in the order of positions", () => {
  const positions = [
    { chunk: 0, block: 0, row: 0 },
    { chunk: 0, block: 0, row: MAX_GROUP_ROWS - 1 },
    { chunk: 0, block: 1, row: 0 },
    { chunk: 0, block: CHUNK_BLOCKS - 1, row: 5 },
    { chunk: 1, block: 0, row: 0 },
    { chunk: 3_000_000, block: 511, row: 127 },
  ];
  const addresses = positions.map(recordAddressOf);
  expect(addresses).toEqual(addresses.toSorted((a, b) => a - b));
  expect(addresses.map(recordPositionOf)).toEqual(positions);
});

test("a group that does not fit into the rest of its chunk starts the next one", () => {
  const addressed = (first: { chunk: number; block: number }, blocks: readonly number[]): string[] => {
    const groups = blocks.map((count): GroupSize => ({ rows: 1, blocks: count }));
    return Array.from(addressGroups(recordAddressOf({ ...first, row: 0 }), groups), (address) => {
      const { chunk, block, row } = recordPositionOf(address);
      expect(row).toBe(0);
      return `${chunk}:${block}`;
    });
  };
  expect(addressed({ chunk: 2, block: 7 }, [1, 3, 1])).toEqual(["2:7", "2:8", "2:11"]);
  expect(addressed({ chunk: 0, block: CHUNK_BLOCKS - 2 }, [2, 1])).toEqual([`0:${CHUNK_BLOCKS - 2}`, "1:0"]);
  expect(addressed({ chunk: 0, block: CHUNK_BLOCKS - 2 }, [3, 1])).toEqual(["1:0", "1:3"]);
  // larger than a chunk: alone
  expect(addressed({ chunk: 0, block: 5 }, [CHUNK_BLOCKS + 9, 1])).toEqual(["1:0", "2:0"]);
  expect(addressed({ chunk: 0, block: 0 }, [CHUNK_BLOCKS, 1])).toEqual(["0:0", "1:0"]);
});

test("a group returns its records, from one block or several", async () => {
  const small = Array.from({ length: 20 }, (_, i) => ({ json: utf8(`{"id":"${i}"}`), geometry: noise(9, i + 1) }));
  const large = [{ json: utf8('{"id":"large"}'), geometry: noise(5000) }];
  for (const [records, blocks] of [
    [small, 1],
    [large, 3],
  ] as const) {
    const group = await sealBlock(writeGroup(records, deflate, dictionary), 7);
    expect(group.length).toBe(blocks * BLOCK_BYTES);
    expect(blockBytesOf(group.subarray(0, BLOCK_BYTES))).toBe(group.length);
    expect(await openGroup(group, 7, dictionary)).toEqual(records);
  }
});

test("a damaged group, or the group of another block, is refused", async () => {
  const group = await sealBlock(writeGroup([{ json: utf8("{}"), geometry: noise(9) }], deflate), 7);
  await expect(openGroup(group, 8, dictionary)).rejects.toThrow("block 8 does not hold its check");
  for (const at of [0, 8, 12, BLOCK_BYTES - 1]) {
    const damaged = group.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await expect(openGroup(damaged, 7, dictionary)).rejects.toThrow("check");
  }
});

test("UUIDs of records are stored once as 16 bytes, other texts unchanged", async () => {
  const uuid = (seed: number): string => {
    const hex = Buffer.from(noise(16, seed)).toString("hex");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const [own, parent] = [uuid(5), uuid(6)];
  const texts = [
    `{"id":"${own}","parents":["${parent}","${own}"]}`,
    `{"id":"${parent}"}`,
    `{"id":"${uuid(7).toUpperCase()}"}`,
    `{"id":"a${own}${parent}b-${own.slice(0, 35)}"}`,
    `{"id":"${own.slice(1)}"}`,
    `{"id":"${own.replace("-", "x")}-----"}`,
    "{}",
    own,
  ];
  const sizes: number[] = [];
  const storing = (bytes: Uint8Array): Uint8Array => {
    sizes.push(bytes.length);
    return deflate(bytes);
  };
  const records = texts.map((text) => ({ json: utf8(text), geometry: noise(3) }));
  const content = writeGroup(records, storing);
  expect(await openGroup(await sealBlock(content, 0), 0, new Uint8Array())).toEqual(records);
  expect(content[0]).toBe(2);
  // Seven of 36 bytes became one marker and one reference each.
  const plain = 1 + texts.reduce((sum, text) => sum + 1 + 1 + text.length + 3, 0);
  expect(sizes).toEqual([plain - 7 * 34]);
});

test("texts of hexadecimal digits and hyphens are restored, with UUIDs in any position", async () => {
  const digits = "0123456789abcdef-----AFgé\u0001";
  for (let seed = 1; seed < 200; seed++) {
    const bytes = noise(300, seed);
    const text = Array.from(bytes, (byte, i) => {
      return byte < 20
        ? "01234567-89ab-cdef-0123-456789abcdef".slice(byte > 12 ? 0 : i % 3)
        : digits[byte % digits.length];
    }).join("");
    const records = [{ json: utf8(JSON.stringify(text)), geometry: noise(2) }];
    expect(await openGroup(await sealBlock(writeGroup(records, deflate), 1), 1, new Uint8Array())).toEqual(records);
  }
});

test("a reference to a missing UUID is refused", async () => {
  const uuid = "01234567-89ab-cdef-0123-456789abcdef";
  const content = writeGroup([{ json: utf8(`["${uuid}","${uuid}"]`), geometry: noise(2) }], (bytes) => bytes);
  const refused = async (change: (plain: Uint8Array) => void): Promise<void> => {
    const plain = content.slice(17);
    change(plain);
    const changed = Buffer.concat([content.slice(0, 17), deflate(plain)]);
    await expect(openGroup(await sealBlock(changed, 0), 0, new Uint8Array())).rejects.toThrow("is not there");
  };
  // After the number of rows, two lengths and a text of nine bytes.
  await refused((plain) => (plain[12] = 1));
  await refused((plain) => (plain[13] = 0));
});

test("content after the blocks has its own checksum, which no block has", async () => {
  const content = noise(100);
  const tail = await sealTail(content);
  expect(await openTail(tail)).toEqual(content);
  await expect(openTail(tail.subarray(0, tail.length - 1))).rejects.toThrow("check");
  await expect(openTail(await sealBlock(content, 0))).rejects.toThrow("check");
});

test("posting lists return terms, counts and numbers, and the position of a range of terms", () => {
  const terms = [
    { term: "category:bar", numbers: [0, 1, 2, 900] },
    { term: "category:barber", numbers: [5, 2 ** 40] },
    { term: "name:é", numbers: [] },
    { term: "name:東京", numbers: [127, 128, 16_512] },
  ];
  const postings = readPostings(writePostings(terms, deflate));
  expect(postings.terms).toEqual(terms.map(({ term }) => term));
  expect(postings.counts).toEqual([4, 2, 0, 3]);
  for (const [row, { numbers }] of terms.entries()) expect([...postings.numbersAt(row)]).toEqual(numbers);
  expect(postings.rangeOf("category:bar", "category:bar")).toEqual({ start: 0, end: 1 });
  expect(postings.rangeOf("name:", "name:\u{10ffff}")).toEqual({ start: 2, end: 4 });
  expect(postings.rangeOf("zebra", "zoo")).toEqual({ start: 4, end: 4 });
});

test("points return geometries and numbers in the order of rows", async () => {
  const shapes: Geometry[] = [
    { type: "Point", coordinates: [7.4246101, 43.7384] },
    {
      type: "LineString",
      coordinates: [
        [-180, 2],
        [179.5, -3.25],
        [1, 1],
      ],
    },
    { type: "Point", coordinates: [0.1 + 0.2, -90] },
  ];
  const geometries = shapes.map((shape) => writeTwkb(shape) ?? writeWkb(shape));
  const rows = [70_000, 3, 2 ** 41 + 5].map((number, row) => ({ number, geometry: geometries[row] as Uint8Array }));
  const groups = [
    { rows: 2, blocks: 1 },
    { rows: 1, blocks: 3 },
  ];
  const points = readPoints(await writePoints(rows, { groups, record: 0 }, deflate));
  expect(points.rows).toBe(3);
  expect([...points.boxes]).toEqual(shapes.flatMap((shape) => bboxOf(shape)));
  for (const [row, { number, geometry }] of rows.entries()) {
    expect(points.number(row)).toBe(number);
    expect(points.geometry(row)).toEqual(geometry);
  }
  expect(points.groups).toEqual(groups);
});

test("points return the address of each row's record, from that of the first", async () => {
  const groups = [3, 1, 128, 2].map((rows, group) => ({ rows, blocks: group === 1 ? 7 : 1 }));
  const count = groups.reduce((sum, { rows }) => sum + rows, 0);
  const geometry = writeWkb({ type: "Point", coordinates: [1, 2] });
  const rows = Array.from({ length: count }, (_, number) => ({ geometry, number }));
  const points = readPoints(await writePoints(rows, { groups, record: 0 }, deflate));
  // the third group starts the next chunk
  for (const first of [
    recordAddressOf({ chunk: 9, block: CHUNK_BLOCKS - 8, row: 0 }),
    recordAddressOf({ chunk: 0, block: 0, row: 0 }),
  ]) {
    const expected = [...addressGroups(first, groups)].flatMap((address, group) =>
      Array.from({ length: groups[group]?.rows ?? 0 }, (_, row) => address + row),
    );
    expect(Array.from({ length: count }, (_, row) => points.address(row, first))).toEqual(expected);
  }
});

test("points whose groups have other rows are refused", async () => {
  const geometry = writeWkb({ type: "Point", coordinates: [1, 2] });
  const rows = [{ geometry, number: 0 }];
  const two = await writePoints(rows, { groups: [{ rows: 2, blocks: 1 }], record: 0 }, deflate);
  expect(() => readPoints(two)).toThrow("points have 1 rows, their groups 2");
  const groups = Array.from({ length: 2 }, () => ({ rows: 1, blocks: 1 }));
  const more = await writePoints(rows, { groups, record: 0 }, deflate);
  expect(() => readPoints(more)).toThrow("points have 1 rows, their groups 2");
});

test("points with more steps than their rows use are refused", async () => {
  const geometry = writeTwkb({ type: "Point", coordinates: [1, 2] }) as Uint8Array;
  const plain = (bytes: Uint8Array): Uint8Array => bytes;
  const groups = [{ rows: 1, blocks: 1 }];
  const bytes = await writePoints([{ geometry, number: 0 }], { groups, record: 0 }, plain);
  // after the header and the offset: four steps in 24 bytes instead of two in 12
  const more = Uint8Array.of(0, 4, ...new Uint8Array(24), ...bytes.subarray(BLOCK_HEADER_BYTES + 14));
  const slice = await sealLast(deflate(more), 0);
  expect(() => readPoints(slice)).toThrow("points have 4 steps, their rows 2");
});

test("a table must have the expected columns and number of rows", () => {
  const slice = writeTable({ term: ["a", "b"], rows: [1, 2] }, deflate);
  expect(readTable(slice, ["term", "rows"], 2)).toEqual({ term: ["a", "b"], rows: [1, 2] });
  expect(() => readTable(slice, ["term"], 3)).toThrow("2 rows in column term, expected 3");
  expect(() => readTable(slice, ["names"], 2)).toThrow("none in column names");
});

test("truncated slices are refused, and slices that inflate to more than the limit", () => {
  const slice = writePostings([{ term: "name:a", numbers: Array.from({ length: 500 }, (_, i) => i * i) }], deflate);
  expect(() => readPostings(slice.subarray(0, slice.length - 20))).toThrow();
  const bomb = deflate(new Uint8Array(200 * 1024 * 1024));
  expect(() => readPostings(bomb)).toThrow("expected at most");
});

test("a section of points, read alone, has the rows of its part of the slice", async () => {
  const rows = Array.from({ length: 400 }, (_, number) => ({
    geometry: writeTwkb({
      type: "Point",
      coordinates: [(number % 20) / 1e3, Math.floor(number / 20) / 1e3],
    }) as Uint8Array,
    number,
  }));
  const groups = Array.from({ length: 40 }, () => ({ rows: 10, blocks: 2 }));
  const record = recordAddressOf({ chunk: 3, block: CHUNK_BLOCKS - 21, row: 0 });
  const slice = await writePoints(rows, { groups, record, sectionBytes: 600 }, deflate);
  const bbox = [0, 0, 0.019, 0.019] as const;
  const node = { rows: 400, bbox, points: { bytes: slice.length, sections: writeSections(slice, bbox) } };
  const sections = readSections(node);
  const whole = readPoints(slice);
  expect(sections.length).toBeGreaterThan(5);
  for (const { index, firstRow, rows: count, start, bytes, bbox: box } of sections) {
    const alone = await openSection(slice.subarray(start, start + bytes), index);
    expect(alone.rows).toBe(count);
    for (let row = 0; row < count; row++) {
      expect(alone.geometry(row)).toEqual(whole.geometry(firstRow + row));
      expect(alone.number(row)).toBe(firstRow + row);
      expect(alone.address(row, record)).toBe(whole.address(firstRow + row, record));
      const [west = 0, south = 0, east = 0, north = 0] = alone.boxes.subarray(4 * row, 4 * row + 4);
      expect(box[0] <= west && box[1] <= south && box[2] >= east && box[3] >= north).toBe(true);
    }
    await expect(openSection(slice.subarray(start, start + bytes), index + 1)).rejects.toThrow("check");
  }
  await checkSections(slice, whole, record);
  await expect(checkSections(slice, whole, record + CHUNK_BLOCKS)).rejects.toThrow("begins at record");
  expect(() => readSections({ ...node, rows: 401 })).toThrow("sections of 400 rows");
});

test("a slice of one section, or across the antimeridian, has no list of sections", async () => {
  const geometry = writeTwkb({ type: "Point", coordinates: [1, 2] }) as Uint8Array;
  const rows = [0, 1].map((number) => ({ geometry, number }));
  const groups = [1, 1].map((count) => ({ rows: count, blocks: 1 }));
  const one = await writePoints(rows, { groups, record: 0 }, deflate);
  expect(writeSections(one, [1, 2, 1, 2])).toBeUndefined();
  const two = await writePoints(rows, { groups, record: 0, sectionBytes: 1 }, deflate);
  expect(writeSections(two, [170, 0, -170, 3])).toBeUndefined();
  expect(readSections({ rows: 2, bbox: [1, 2, 1, 2], points: { bytes: two.length } })).toHaveLength(1);
  expect(writeSections(two, [1, 2, 1, 2])).toBeDefined();
});
