import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { type IdEntry, writeSegment } from "../../../data/format/id-order.ts";
import { CHUNK_BLOCKS, type StoredRecord } from "../../../data/format/records.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Change, type SmallRow, smallRows, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { expectFaults, faultsOf, holdFaults, type Mutation, only } from "./testing.ts";

const newFolder = temporaryFolders();

/** The first primary slice, and the first chunk and segment. */
const FIRST = { country: "JP", index: 0 };

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const decode = (json: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(json));

/** Changes the first record. */
const record = (changeTo: (record: StoredRecord) => StoredRecord): Change => ({
  groups: (groups, at) =>
    only({ ...at }, FIRST, groups, ([first = [], ...others]) => [
      first.map((own, place) => (place === 0 ? changeTo(own) : own)),
      ...others,
    ]),
});

const json = (changeTo: (columns: Record<string, unknown>) => unknown): Change =>
  record((own) => ({ ...own, json: encode(changeTo(decode(own.json))) }));

const blocks = (changeTo: (bytes: Uint8Array) => void): Change => ({
  blocks: (bytes, at) =>
    only({ ...at }, FIRST, bytes, (own) => {
      const other = own.slice();
      changeTo(other);
      return other;
    }),
});

/** Adds zeros to the last block and recomputes its checksum. */
function withZeros(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array([...bytes, 0, 0, 0, 0]);
  const block = Math.floor(bytes.length / BLOCK_BYTES);
  const last = longer.subarray(block * BLOCK_BYTES);
  const covered = Buffer.concat([Buffer.alloc(4), last.subarray(8)]);
  covered.writeUInt32LE(block);
  last.set(createHash("sha256").update(covered).digest().subarray(0, 8));
  return longer;
}

/** Recomputes the checksum of the first group, which has one block. */
function seal(bytes: Uint8Array): void {
  const covered = Buffer.concat([Buffer.alloc(4), bytes.subarray(8, BLOCK_BYTES)]);
  bytes.set(createHash("sha256").update(covered).digest().subarray(0, 8));
}

const node = (
  run: "records" | "ids" | "location",
  index: number,
  changeTo: (node: Readonly<Record<string, unknown>>) => object,
): Change => ({
  node: (value, at) => only({ ...at }, { run, index }, value, (own) => ({ ...own, ...changeTo(own) })),
});

const padded = (country: string, chunk: number, bytes: number): Change => ({
  content: (own, at) =>
    only({ ...at }, { country, index: 0, chunk }, own, (group) => {
      const other = new Uint8Array(group.length + bytes);
      other.set(group);
      return other;
    }),
});

/** Changes the bytes of the first segment. */
const segment = (changeTo: (bytes: Uint8Array) => Uint8Array): Change => ({
  segment: (bytes, at) => only({ ...at }, FIRST, bytes, (own) => changeTo(own.slice())),
});

const ids = (changeTo: (entries: readonly IdEntry[]) => readonly IdEntry[]): Change => ({
  ids: (entries, at) => only({ ...at }, FIRST, entries, changeTo),
});

const ofChunk = (text: string) => new RegExp(`${/^place\/_records\/\w+\.pack, slice at \d+/.source}: ${text}`);
const ofSegment = (text: string) => new RegExp(`${/^place\/_ids\/\w+\.pack, slice at \d+/.source}: ${text}`);
const ofPoints = (text: string) => new RegExp(`${/^place\/_points\/\w+\.pack, slice at \d+/.source}: ${text}`);
const ofSlice = (text: string) => new RegExp(`${/^place\/country=JP\/.*\.parquet, slice at \d+/.source}: ${text}`);

/** Faults if rows have other numbers than the rest of the dataset. */
const NUMBERS = [
  ofPoints("\\d+ numbers differ from the ids"),
  /^place: \d+ terms have not the rows that they should/,
] as const;
/** Faults if records are elsewhere than the rest of the dataset says. */
const FIND = [/^place: find run: \d+ ids are not in it/, /^place: find run: \d+ rows are no id's/] as const;
const ADDRESSES = [ofPoints("\\d+ records are elsewhere"), ...FIND] as const;
const ENTRIES = [/^place: \d+ entries of ids have no record/, /^place: \d+ records have no entry of ids/] as const;

const LAST_SLICE = 10;
const LAST_CHUNK = 3;

/** Changes the records of the last group, and counts `more` in its chunk. Its points keep their groups. */
function lastGroup(changeTo: (group: readonly StoredRecord[]) => readonly StoredRecord[], more: number): Change {
  return {
    groups: (groups, at) =>
      only({ ...at }, { country: "MC", index: LAST_SLICE }, groups, (own) =>
        own.map((group, i) => (i === own.length - 1 ? changeTo(group) : group)),
      ),
    sizes: (sizes, at) =>
      only({ ...at }, { country: "MC", index: LAST_SLICE }, sizes, (own) =>
        own.map((size, i) => (i === own.length - 1 ? { ...size, rows: size.rows - more } : size)),
      ),
    ...node("records", LAST_CHUNK, ({ rows }) => ({ rows: Number(rows) + more })),
  };
}

/** Faults if entries of ids have the addresses of other records. */
const SHIFTED = [
  ...ENTRIES,
  ...NUMBERS,
  ofSegment("(first|last)_id expected"),
  ofSegment("bbox expected"),
  /^place: \d+ entries of ids do not begin as their ids/,
  /^place: \d+ rows are not in the order of ids/,
  /^place: \d+ terms of the term run should not be there/,
  /^place: find run: \d+ rows are no id's/,
] as const;

const MUTATIONS: readonly Mutation[] = [
  [
    "a block that does not hold its check",
    blocks((bytes) => (bytes[3] = (bytes[3] ?? 0) ^ 1)),
    ofChunk("block 0 cannot be read: block 0 does not hold its check"),
    ofChunk("rows expected \\d+, got 0"),
  ],
  [
    "a block that does not end with zeros",
    blocks((bytes) => {
      bytes[BLOCK_BYTES - 1] = 7;
      seal(bytes);
    }),
    ofChunk("block 0 does not end with zeros"),
  ],
  [
    "zeros after the last group",
    { blocks: (bytes, at) => only({ ...at }, FIRST, bytes, withZeros) },
    ofChunk("block \\d+: 4 bytes after the last group"),
  ],
  [
    "a group that exceeds its chunk",
    blocks((bytes) => new DataView(bytes.buffer).setUint32(8, 50 * BLOCK_BYTES, true)),
    ofChunk("block 0 cannot be read: a group of \\d+ bytes exceeds the last block"),
    ofChunk("rows expected \\d+, got 0"),
  ],
  ["a group of several rows in two blocks", padded("JP", 0, 2500), ofChunk("block 0: \\d+ rows in 3 blocks")],
  [
    "more than 4096 blocks of several groups",
    padded("MC", 3, (CHUNK_BLOCKS + 1) * BLOCK_BYTES),
    ofChunk("block 0: \\d+ rows in \\d+ blocks; \\d+ blocks of \\d groups, expected at most 4096"),
    ofPoints("\\d+ records are elsewhere"),
  ],
  [
    "a column of another value",
    json((columns) => ({ ...columns, version: 99 })),
    /^place: 1 records have other columns than their rows, such as jp-0\d\d of JP \(chunk 0, block 0, row 0\)$/,
  ],
  [
    "a member that is missing",
    json(({ confidence: _, ...columns }) => columns),
    /^place: 1 records have other columns than their rows/,
  ],
  [
    "a column that the collection does not have",
    json((columns) => ({ ...columns, bbox: [1] })),
    /^place: 1 records have other columns than their rows/,
  ],
  [
    "a record without an id",
    json(({ id: _, ...columns }) => columns),
    ofChunk("row at block 0, index 0: its JSON has no id"),
    ofChunk("rows expected"),
  ],
  [
    "a record that is no JSON",
    record((own) => ({ ...own, json: own.json.map((byte, i) => (i === own.json.length - 1 ? 40 : byte)) })),
    ofChunk("row at block 0, index 0: .*JSON"),
    ofChunk("rows expected"),
  ],
  [
    "a geometry that is another",
    record((own) => ({
      ...own,
      geometry: own.geometry.map((byte, i) => (i === own.geometry.length - 1 ? byte ^ 1 : byte)),
    })),
    /^place: 1 records have another geometry than their rows, such as jp-0\d\d of JP/,
    ofChunk("bbox expected"),
  ],
  [
    "records in another order than their rows",
    {
      groups: (groups, at) =>
        only({ ...at }, FIRST, groups, ([first = [], ...others]) => [
          [...first.slice(0, 1), ...first.slice(1, 3).toReversed(), ...first.slice(3)],
          ...others,
        ]),
    },
    ...ADDRESSES,
    /^place: 2 entries of ids do not begin as their ids/,
    /^place: \d+ rows are not in the order of ids/,
    ...NUMBERS,
  ],
  [
    "a record too few",
    {
      groups: (groups, at) =>
        only({ ...at }, FIRST, groups, (own) => own.map((group, i) => (i === 0 ? group.slice(0, -1) : group))),
    },
    ofChunk("rows expected \\d+, got \\d+"),
    ofChunk("bbox expected"),
    ofPoints("cannot be read: points have \\d rows, their groups \\d"),
  ],
  [
    "a chunk with another number of blocks",
    node("records", 1, ({ blocks: own }) => ({ blocks: Number(own) - 1 })),
    ofChunk("\\d+ bytes are not \\d+ blocks"),
  ],
  [
    "a chunk that counts another row",
    node("records", 1, ({ rows }) => ({ rows: Number(rows) + 1 })),
    ofChunk("rows expected \\d+, got \\d+"),
  ],
  ["a chunk with another box", node("records", 1, () => ({ bbox: [0, 0, 1, 1] })), ofChunk("bbox expected")],
  [
    "a chunk with the number of another",
    node("records", 1, () => ({ chunk: 5 })),
    ofChunk("chunk expected 1, got 5"),
    ofPoints("\\d+ records are elsewhere"),
    ...ENTRIES,
    ofSegment("(first|last)_id expected"),
    ofSegment("bbox expected"),
    /^place: \d+ terms of the term run should not be there/,
    /^place: \d+ terms have not the rows/,
    /^place: find run: \d+ rows are no id's/,
    ofSlice("record expected"),
  ],
  [
    "chunks in another order",
    { nodes: (nodes, at) => only({ ...at }, { run: "records" }, nodes, (own) => own.toReversed()) },
    ofChunk("does not come after the node before it"),
    ofChunk("chunk expected \\d, got \\d"),
    /^manifest.json: place chunks expected/,
  ],
  [
    "a manifest that has another first chunk",
    { collection: (own) => ({ ...own, chunks: { JP: 0, MC: 3 } }) },
    /^manifest.json: place chunks expected \{"JP":0,"MC":2\}, got \{"JP":0,"MC":3\}$/,
    ...SHIFTED,
  ],
  [
    "a slice with the address of another record",
    node("location", 1, ({ record: own }) => ({ record: Number(own) + 128 })),
    ofSlice("record expected \\d+, got \\d+"),
    ofPoints("\\d+ records are elsewhere, such as that of row 0 "),
  ],
  [
    "points with other groups than the records",
    {
      sizes: (sizes, at) =>
        only({ ...at }, { run: "location", index: 3 }, sizes, (own) => [
          { rows: own.reduce((sum, { rows }) => sum + rows, 0), blocks: 1 },
        ]),
    },
    ofPoints("\\d+ records are elsewhere, such as that of row \\d \\(jp-0\\d\\d\\) of place/country=JP"),
  ],
  [
    "points whose last group has other blocks than the records",
    {
      sizes: (sizes, at) =>
        only({ ...at }, { run: "location", index: 3 }, sizes, (own) =>
          own.map((size, i) => (i === own.length - 1 ? { ...size, blocks: size.blocks + 1 } : size)),
        ),
    },
    ofPoints("\\d+ records are elsewhere"),
  ],
  [
    "a block of ids that does not hold its check",
    segment((bytes) => {
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      return bytes;
    }),
    ofSegment("block 0 cannot be read: block 0 does not hold its check"),
    ofSegment("rows expected 10, got 0"),
  ],
  ["zeros after the only block of ids", segment(withZeros), ofSegment("4 bytes after the only block")],
  [
    "an entry too few",
    ids((entries) => entries.slice(0, -1)),
    ofSegment("block 0: rows expected 10, got 9"),
    ofSegment("rows expected 10, got 9"),
  ],
  [
    "an entry with the address of another record",
    ids((entries) => entries.map((entry, i) => (i === 4 ? { ...entry, address: entries[5]?.address ?? 0 } : entry))),
    /^place: 1 records have no entry of ids, such as jp-004 of JP$/,
    /^place: 2 entries of ids have the address of another, such as number 4 of JP$/,
    /^place: 1 entries of ids do not begin as their ids, such as jp-005 of JP$/,
    /^place: 1 rows are not in the order of ids, such as jp-005 of JP$/,
    /^place: 1 ids repeated, such as jp-005$/,
    /^place: 1 terms of the term run should not be there, such as name:4 of JP/,
    /^place: find run: 1 rows are no id's/,
    ofSegment("bbox expected"),
    ...NUMBERS,
  ],
  [
    "an entry with the address of no record",
    ids((entries) => entries.map((entry, i) => (i === 4 ? { ...entry, address: 127 } : entry))),
    /^place: 1 records have no entry of ids, such as jp-004 of JP$/,
    /^place: 1 entries of ids have no record, such as number 4 of JP$/,
    /^place: \d+ terms have not the rows/,
    /^place: 1 terms of the term run should not be there, such as name:4 of JP/,
    /^place: find run: 1 rows are no id's/,
    ofSegment("bbox expected"),
  ],
  [
    "an entry with another key",
    ids((entries) => entries.map((entry, i) => (i === 4 ? { ...entry, id: "jp-00x4" } : entry))),
    /^place: \d+ entries of ids do not begin as their ids, such as jp-004 of JP$/,
  ],
  [
    "entries in another order",
    ids(([first, second, ...others]) => [second, first, ...others].filter((entry) => entry !== undefined)),
    /^place: 1 rows are not in the order of ids, such as jp-000 of JP$/,
    ofSegment('first_id expected "jp-001", got "jp-000"'),
    ...NUMBERS,
  ],
  [
    "a record of no row",
    lastGroup((group) => [...group, { ...group[0], json: encode({ id: "mc-extra" }) } as StoredRecord], 1),
    /^place: 1 records have no row in the primary copy, such as mc-extra of MC/,
    /^place: 1 records have no entry of ids, such as mc-extra of MC/,
  ],
  [
    "a row without a record",
    lastGroup((group) => group.slice(0, -1), -1),
    /^place: 1 rows of the primary copy have no record, such as mc-0\d\d of MC$/,
    /^place: 1 entries of ids have no record, such as number \d+ of MC$/,
    /^place: \d+ terms have not the rows/,
    /^place: \d terms of the term run should not be there/,
    /^place: find run: 1 rows are no id's/,
    ofChunk("bbox expected"),
    ofSegment("bbox expected"),
  ],
  [
    "a node with another start",
    node("ids", 1, ({ start }) => ({ start: Number(start) + 1 })),
    ofSegment("start expected \\d+, got \\d+"),
  ],
  [
    "a node with another first id",
    node("ids", 1, () => ({ first_id: "jp-0" })),
    ofSegment('first_id expected "jp-010", got "jp-0"'),
    ofSegment("does not come after the node before it"),
  ],
  [
    "a node with another last id",
    node("ids", 2, () => ({ last_id: "jp-9" })),
    ofSegment('last_id expected "jp-023", got "jp-9"'),
  ],
  [
    "a node with another box",
    node("ids", 1, () => ({ bbox: [0, 0, 1, 1] })),
    ofSegment("bbox expected"),
    /^place\/_term\/.*: bbox of its country expected/,
  ],
  [
    "a node with a block more",
    node("ids", 1, ({ blocks: own }) => ({ blocks: Number(own) + 1 })),
    ofSegment("blocks expected 1, got 2"),
  ],
  [
    "a node that counts another row",
    node("ids", 1, ({ rows }) => ({ rows: Number(rows) + 1 })),
    ofSegment("block 0: rows expected 11, got 10"),
    ofSegment("rows expected \\d+, got \\d+"),
    ofSegment("start expected"),
  ],
  [
    "a node with the number of another segment",
    node("ids", 1, () => ({ segment: 5 })),
    ofSegment("segment expected 1, got 5"),
    /^place: \d+ rows are not in the order of ids/,
    ...NUMBERS,
  ],
  [
    "segments in another order",
    { nodes: (nodes, at) => only({ ...at }, { run: "ids" }, nodes, (own) => own.toReversed()) },
    ofSegment("does not come after the node before it"),
    ofSegment("segment expected \\d, got \\d"),
    ofSegment("start expected"),
    /^manifest.json: place segments expected/,
  ],
  [
    "a manifest that has another first segment",
    { collection: (own) => ({ ...own, segments: { JP: 0, MC: 4 } }) },
    /^manifest.json: place segments expected \{"JP":0,"MC":3\}, got \{"JP":0,"MC":4\}$/,
    ...NUMBERS,
  ],
  [
    "a dictionary that cannot be read",
    { dictionary: () => Uint8Array.of(7, 7, 7) },
    /^place\/_dictionary\/\w+\.pack, slice at 0: cannot be read/,
  ],
];

test.each(MUTATIONS.map((mutation) => [mutation[0], mutation] as const))("%s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["place"], mutation);
});

const deflate = (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateRawSync(bytes));

const manyEntries = (prefix: string, rows: number): IdEntry[] =>
  Array.from({ length: rows }, (_, address) => ({ id: `${prefix}${String(address).padStart(4, "0")}`, address }));

/** A directory of 260 rows. */
const otherDirectory = (await writeSegment(manyEntries("jp-x", 260), deflate)).bytes.subarray(2 * BLOCK_BYTES);

/** A segment of two blocks. */
const DIRECTORIES: readonly Mutation[] = [
  ["nothing", {}],
  [
    "a block of ids that does not end with zeros",
    segment((bytes) => {
      bytes[BLOCK_BYTES - 1] = 7;
      seal(bytes);
      return bytes;
    }),
    /slice at \d+: block 0 does not end with zeros/,
  ],
  [
    "a damaged directory of ids",
    segment((bytes) => bytes.subarray(0, bytes.length - 1)),
    /its directory cannot be read: block 4294967295 does not hold its check/,
  ],
  [
    "a directory of other ids and rows",
    segment((bytes) => Buffer.concat([bytes.subarray(0, 2 * BLOCK_BYTES), otherDirectory])),
    /directory, block 0: id expected "jp-a0000", got "jp-x0000"/,
    /rows of its directory expected 300, got 260/,
  ],
];
test.each(DIRECTORIES.map((mutation) => [mutation[0], mutation] as const))(
  "a segment of two blocks: %s",
  async (_, [, change, ...patterns]) => {
    const folder = await newFolder();
    const [, box] = smallRows().division_area ?? [];
    if (!box) throw new Error("no row");
    const rows = manyEntries("jp-a", 300).map(({ id }): SmallRow => ({ ...box, id, country: "JP" }));
    await writeSmallDataset(folder, {
      change,
      collections: ["division_area"],
      rows: { division_area: rows },
      segmentRows: 300,
    });
    holdFaults(await faultsOf(folder), patterns);
  },
);

test("slices in the manifest that are no copies of slices of the index", async () => {
  const folder = await newFolder();
  const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const [own, other] = [Buffer.from("of no pack"), Buffer.from("others")];
  const change: Change = {
    collection: (collection) => ({
      ...collection,
      inline: { [collection.dictionary.sha256]: other.toString("base64"), [hashOf(own)]: own.toString("base64") },
    }),
  };
  await writeSmallDataset(folder, { change, collections: ["place"] });
  holdFaults(await faultsOf(folder), [
    /^manifest.json: place inline: no slice of the index has SHA-256 /,
    new RegExp(`^manifest.json: place inline: SHA-256 expected .*, got "${hashOf(other)}"$`),
  ]);
});

test.each([
  ["others", "{}\n", /^manifest.json: division_area texts are not the texts of its records$/],
  ["too many", "{}\n{}\n", /^manifest.json: division_area texts cannot be read: .* texts end at byte /],
])("texts in the manifest that are not those of the records: %s", async (_, text, pattern) => {
  const folder = await newFolder();
  const change: Change = {
    collection: (collection) => {
      const texts = Buffer.from(deflateRawSync(text.repeat(collection.rows)));
      return { ...collection, texts: texts.toString("base64") };
    },
  };
  await writeSmallDataset(folder, { change, collections: ["division_area"] });
  holdFaults(await faultsOf(folder), [pattern]);
});

test("a record without an entry of ids, and an id in two countries", async () => {
  const lost: Change = {
    rows: (rows, at) => only({ ...at }, { country: "JP" }, rows, (own) => own.filter(({ id }) => id !== "jp-a0")),
  };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    [
      "",
      lost,
      /^division_area: 1 records have no entry of ids, such as jp-a0 of JP$/,
      /^division_area: count_cell run: 1 counts are wrong or have no row, such as JP total 10 2 948 0 0 /,
    ],
  );
  const renamed = (row: SmallRow): SmallRow => (row.id === "jp-a0" ? { ...row, id: "mc-a0" } : row);
  const twice: Change = { cells: (cells) => cells.map((cell) => cell.map(renamed)), rows: (rows) => rows.map(renamed) };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    ["", twice, /^division_area: 1 ids repeated, such as mc-a0$/, /^division_area: count_cell run: \d+ counts /],
  );
});

test("null members are optional", async () => {
  const folder = await newFolder();
  const nulls = json((columns) => ({
    ...columns,
    taxonomy: null,
    addresses: [{ locality: null, ...(columns.addresses as object[])[0] }],
  }));
  await writeSmallDataset(folder, { change: nulls, collections: ["place"] });
  expect(await faultsOf(folder)).toEqual([]);
  expect(smallRows().place?.[0]?.columns).not.toHaveProperty("taxonomy");
});
