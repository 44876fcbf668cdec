import { deflateSync } from "fflate";
import { expect, test } from "vitest";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { FORMAT_VERSION, type IndexNode, MAX_PARTITION_ROWS } from "./manifest.ts";
import { parseManifest, readPage } from "./manifest-schema.ts";

const manifest = {
  format: "cairn",
  format_version: FORMAT_VERSION,
  sha256: "0".repeat(64),
  release: "test",
  attribution: [],
  rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
  collections: {},
};

test("reads a manifest of this version", () => {
  expect(parseManifest(manifest).format_version).toBe(3);
});

test.each([0, 1, 2, 4, 1.5])("refuses version %f and reports the supported one", (format_version) => {
  expect(() => parseManifest({ ...manifest, format_version })).toThrow(
    `manifest has format_version ${format_version}, this program reads 3`,
  );
});

function read(nodes: unknown): readonly IndexNode[] {
  return readPage(deflateSync(new TextEncoder().encode(JSON.stringify(nodes)))).nodes;
}

const slice = { sha256: "0".repeat(64), bytes: 1, pack: "0".repeat(16), offset: 0 };
const node = { ...slice, rows: 1, bbox: [0, 0, 0, 0] };
const page = { ...node, partitions: 1 };
const partition = { ...node, pack: `9xj/${"0".repeat(16)}`, country: "AA", geohash: "9xj5", points: slice, record: 0 };
const segment = { ...node, country: "AA", first_id: "a", last_id: "b", start: 0, segment: 0, blocks: 1 };
const chunk = { ...node, country: "AA", chunk: 0, blocks: 1 };
const term = { ...node, country: "AA", first_term: "a", last_term: "b", start: 0 };
const table = { ...term, footer: { sha256: "0".repeat(64), bytes: 1 } };

test.each([
  ["a page", { ...page, bytes: MAX_SLICE_BYTES }],
  ["a partition", { ...partition, bytes: MAX_SLICE_BYTES, rows: MAX_PARTITION_ROWS }],
  ["a segment of ids", { ...segment, bytes: MAX_SLICE_BYTES }],
  ["a chunk of records", { ...chunk, bytes: MAX_SLICE_BYTES }],
  ["a slice of terms", { ...term, rows: MAX_PARTITION_ROWS }],
  ["a file of a column table", { ...table, rows: MAX_PARTITION_ROWS }],
])("%s may have this value", (_, claimed) => {
  expect(read([claimed])).toEqual([claimed]);
});

test.each([
  ["a page of more bytes", { ...page, bytes: MAX_SLICE_BYTES + 1 }, /\[0\]\.bytes/],
  ["a partition of more bytes", { ...partition, bytes: MAX_SLICE_BYTES + 1 }, /\[0\]\.bytes/],
  ["a partition of more rows", { ...partition, rows: MAX_PARTITION_ROWS + 1 }, /\[0\]\.rows/],
  ["points of more bytes", { ...partition, points: { ...slice, bytes: MAX_SLICE_BYTES + 1 } }, /\[0\]\.points\.bytes/],
  ["a pack whose name leaves the folder", { ...page, pack: "../../secret00000" }, /\[0\]\.pack/],
  ["a folder whose name leaves the dataset", { ...partition, pack: `../x/${"0".repeat(16)}` }, /\[0\]\.pack/],
  ["an address below 0", { ...partition, record: -1 }, /\[0\]\.record/],
  ["a chunk with ids", { ...chunk, first_id: "a", last_id: "b" }, /\[0\]/],
  ["a node of no run", { ...node, country: "AA" }, /\[0\]/],
])("refuses %s", (_, claimed, reason) => {
  expect(() => read([claimed])).toThrow(reason);
});

const KINDS = { page, partition, segment, chunk, term, table };

test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("%s with a member of another kind is refused", (name) => {
  const own = KINDS[name];
  let tested = 0;
  for (const [key, value] of Object.entries(KINDS).flatMap(([, other]) => Object.entries(other))) {
    // the footer is what makes a slice of terms a file of a table
    if (key in own || (own === term && key === "footer")) continue;
    tested++;
    expect(() => read([own, { ...own, [key]: value }]), key).toThrow(/index page is not valid: ✖ .*\[1\]$/);
  }
  expect(tested).toBeGreaterThan(5);
  expect(() => read([own, "a text"])).toThrow("✖ Invalid input   → at [1]");
});
