import { expect, test } from "vitest";
import {
  FORMAT_VERSION,
  MAX_PAGE_BYTES,
  MAX_PARTITION_BYTES,
  MAX_PARTITION_ROWS,
  parseManifest,
  parsePage,
} from "./manifest.ts";

const manifest = {
  format: "cairn",
  format_version: FORMAT_VERSION,
  release: "test",
  attribution: [],
  rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
  collections: {},
};

test.each([1, 2])("a manifest of version %i is read", (format_version) => {
  expect(parseManifest({ ...manifest, format_version }).format_version).toBe(format_version);
});

test.each([0, 3, 1.5])("one of version %f is refused, with what is read", (format_version) => {
  expect(() => parseManifest({ ...manifest, format_version })).toThrow(
    `manifest has format_version ${format_version}, this program reads 1 and 2`,
  );
});

const node = { sha256: "0".repeat(64), bytes: 1, rows: 1, bbox: [0, 0, 0, 0] };

test.each([
  ["a page", { ...node, bytes: MAX_PAGE_BYTES, partitions: 1 }],
  ["a partition", { ...node, bytes: MAX_PARTITION_BYTES, rows: MAX_PARTITION_ROWS, country: "AA" }],
])("%s may claim so much", (_, claimed) => {
  expect(parsePage([claimed])).toEqual([claimed]);
});

test.each([
  ["a page of more bytes", { ...node, bytes: MAX_PAGE_BYTES + 1, partitions: 1 }, /<=65536 .*\[0\]\.bytes/],
  ["a partition of more bytes", { ...node, bytes: MAX_PARTITION_BYTES + 1, country: "AA" }, /\[0\]\.bytes/],
  ["a partition of more rows", { ...node, rows: MAX_PARTITION_ROWS + 1, country: "AA" }, /\[0\]\.rows/],
  [
    "shapes of more bytes",
    { ...node, country: "AA", shape: { sha256: node.sha256, bytes: MAX_PARTITION_BYTES + 1 } },
    /\[0\]\.shape\.bytes/,
  ],
])("%s is refused", (_, claimed, reason) => {
  expect(() => parsePage([claimed])).toThrow(reason);
});
