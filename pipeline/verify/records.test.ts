import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { BLOCK_BYTES, type StoredRecord } from "../../data/format/records.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { type Change, type SmallRow, smallRows, writeSmallDataset } from "../testing/small-dataset/index.ts";
import { expectFaults, faultsOf, type Mutation, only } from "./testing.ts";

const newFolder = temporaryFolders();

const FIRST = { country: "JP", index: 0 };
const RECORDS = { run: "records", index: 0 };

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const decode = (json: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(json));

/** Changes the first record of the first segment. */
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

/** Recomputes the checksum of the first group, which has one block. */
function seal(bytes: Uint8Array): void {
  const told = Buffer.concat([Buffer.alloc(4), bytes.subarray(8, BLOCK_BYTES)]);
  bytes.set(createHash("sha256").update(told).digest().subarray(0, 8));
}

const node = (index: number, changeTo: (node: Readonly<Record<string, unknown>>) => object): Change => ({
  node: (value, at) => only({ ...at }, { ...RECORDS, index }, value, (own) => ({ ...own, ...changeTo(own) })),
});

const padded = (country: string, stretch: number, bytes: number): Change => ({
  content: (own, at) =>
    only({ ...at }, { country, index: 0, stretch }, own, (group) => {
      const other = new Uint8Array(group.length + bytes);
      other.set(group);
      return other;
    }),
});

const SLICE = /^place\/_records\/\w+\.pack, slice at \d+/.source;
const ofSlice = (text: string) => new RegExp(`${SLICE}: ${text}`);
/** Faults if rows have other numbers than the rest of the dataset. */
const NUMBERS = [
  /^place\/_points\/.*: \d+ numbers differ from the records/,
  /^place: \d+ terms have not the rows that they should/,
  /^place: find run: \d+ ids are not in it/,
  /^place: find run: \d+ rows are no id's/,
] as const;

const MUTATIONS: readonly Mutation[] = [
  [
    "a block that does not hold its check",
    blocks((bytes) => (bytes[3] = (bytes[3] ?? 0) ^ 1)),
    ofSlice("block 0 cannot be read: block 0 does not hold its check"),
    ofSlice("rows expected \\d+, got 0"),
  ],
  [
    "a block that does not end with zeros",
    blocks((bytes) => {
      bytes[BLOCK_BYTES - 1] = 7;
      seal(bytes);
    }),
    ofSlice("block 0 does not end with zeros"),
  ],
  [
    "a group that exceeds its segment",
    blocks((bytes) => new DataView(bytes.buffer).setUint32(8, 5 * BLOCK_BYTES, true)),
    ofSlice("block 0 cannot be read: a group of \\d+ bytes exceeds the last block"),
    ofSlice("rows expected \\d+, got 0"),
  ],
  ["a group of several rows in two blocks", padded("JP", 0, 2500), ofSlice("block 0: \\d+ rows in 3 blocks")],
  [
    "more than 512 blocks of several groups",
    padded("MC", 3, 513 * BLOCK_BYTES),
    ofSlice("block 0: \\d+ rows in \\d+ blocks; \\d+ blocks of \\d groups, expected at most 512"),
  ],
  [
    "a directory that counts another row",
    {
      directory: (directory, at) =>
        only({ ...at }, FIRST, directory, (own) => ({ ...own, rows: own.rows.map((rows) => rows + 1) })),
    },
    ofSlice('directory, group 0: block, rows and id expected \\[0,\\d,"jp-000"\\], got \\[0,\\d,"jp-000"\\]'),
  ],
  [
    "a directory with another first block",
    {
      directory: (directory, at) =>
        only({ ...at }, FIRST, directory, (own) => ({ ...own, blocks: own.blocks.map((block) => 2 * block) })),
    },
    ofSlice("directory, group 1: block, rows and id expected \\[1,"),
  ],
  [
    "a directory with another first id",
    {
      directory: (directory, at) =>
        only({ ...at }, FIRST, directory, (own) => ({ ...own, ids: own.ids.map((id) => `${id}x`) })),
    },
    ofSlice("directory, group 0: .*jp-000x"),
  ],
  [
    "a directory without its last group",
    {
      directory: (directory, at) =>
        only({ ...at }, FIRST, directory, ({ blocks: own, rows, ids }) => ({
          blocks: own.slice(0, -1),
          rows: rows.slice(0, -1),
          ids: ids.slice(0, -1),
        })),
    },
    ofSlice('directory, group \\d: .*, got "none"'),
  ],
  [
    "a column of another value",
    json((columns) => ({ ...columns, version: 99 })),
    /^place: 1 records have other columns than their rows, such as jp-000 of JP \(segment 0, block 0, row 0\)$/,
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
    ofSlice("row at block 0, place 0: its JSON has no id; directory, group 0"),
    ofSlice("rows expected"),
    ofSlice("first_id expected"),
  ],
  [
    "a record that is no JSON",
    record((own) => ({ ...own, json: own.json.map((byte, i) => (i === own.json.length - 1 ? 40 : byte)) })),
    ofSlice("row at block 0, place 0: .*JSON"),
    ofSlice("rows expected"),
    ofSlice("first_id expected"),
  ],
  [
    "a geometry that is another",
    record((own) => ({
      ...own,
      geometry: own.geometry.map((byte, i) => (i === own.geometry.length - 1 ? byte ^ 1 : byte)),
    })),
    /^place: 1 records have another geometry than their rows, such as jp-000 of JP/,
    /^place\/_records\/.*, slice at 0: bbox expected/,
  ],
  [
    "records out of order",
    {
      groups: (groups, at) =>
        only({ ...at }, FIRST, groups, ([first = [], ...others]) => [
          [...first.slice(0, 1), ...first.slice(1, 3).toReversed(), ...first.slice(3)],
          ...others,
        ]),
    },
    ofSlice("row jp-001 does not come after the one before"),
    ...NUMBERS,
  ],
  [
    "a record too few",
    {
      groups: (groups, at) =>
        only({ ...at }, FIRST, groups, (own) => own.map((group, i) => (i === 0 ? group.slice(0, -1) : group))),
    },
    ofSlice("rows expected \\d+, got \\d+"),
  ],
  [
    "a record of no row",
    {
      rows: (rows, at) =>
        only({ ...at }, { country: "MC" }, rows, (own) => [...own, { ...(own[0] as SmallRow), id: "mc-extra" }]),
    },
    /^place: 1 records have no row in the primary copy, such as mc-extra of MC/,
    /^place: \d+ terms have not the rows/,
    /^place: count_\w+ run: \d+ rows are wrong/,
  ],
  [
    "a node with another start",
    node(1, ({ start }) => ({ start: Number(start) + 1 })),
    ofSlice("start expected \\d+, got \\d+"),
  ],
  [
    "a node with another first id",
    node(1, () => ({ first_id: "jp-0" })),
    ofSlice('first_id expected "jp-\\d+", got "jp-0"'),
    ofSlice("does not come after the node before it"),
  ],
  [
    "a node with another last id",
    node(1, () => ({ last_id: "jp-9" })),
    ofSlice('last_id expected "jp-023", got "jp-9"'),
  ],
  [
    "a node with a block less",
    node(1, ({ blocks: own }) => ({ blocks: Number(own) - 1 })),
    ofSlice(".*its directory cannot be read"),
    ofSlice("rows expected"),
    ofSlice("last_id expected"),
  ],
  [
    "a node that counts another row",
    node(1, ({ rows }) => ({ rows: Number(rows) + 1 })),
    ofSlice("rows expected \\d+, got \\d+"),
  ],
  [
    "a node with the number of another segment",
    node(1, () => ({ stretch: 5 })),
    ofSlice("stretch expected 1, got 5"),
    ...NUMBERS,
  ],
  [
    "segments in another order",
    { nodes: (nodes, at) => only({ ...at }, { run: "records" }, nodes, (own) => own.toReversed()) },
    ofSlice("does not come after the node before it"),
    ofSlice("stretch expected \\d, got \\d"),
    ofSlice("start expected"),
    /^manifest.json: place stretches expected/,
  ],
  [
    "a manifest that has another first segment",
    { collection: (own) => ({ ...own, stretches: { JP: 0, MC: 3 } }) },
    /^manifest.json: place stretches expected \{"JP":0,"MC":2\}, got \{"JP":0,"MC":3\}$/,
    ...NUMBERS.slice(0, 2),
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

test("a row without a record, and an id in two countries", async () => {
  const lost: Change = {
    rows: (rows, at) => only({ ...at }, { country: "JP" }, rows, (own) => own.filter(({ id }) => id !== "jp-a0")),
  };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    ["", lost, /^division_area: 1 rows of the primary copy have no record, such as jp-a0 of JP$/],
  );
  const renamed = (row: SmallRow): SmallRow => (row.id === "jp-a0" ? { ...row, id: "mc-a0" } : row);
  const twice: Change = { cells: (cells) => cells.map((cell) => cell.map(renamed)), rows: (rows) => rows.map(renamed) };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    ["", twice, /^division_area: 1 ids repeated, such as mc-a0$/],
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
