import { expect, test } from "vitest";
import { FORMAT_VERSION, parseManifest } from "./manifest.ts";

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
