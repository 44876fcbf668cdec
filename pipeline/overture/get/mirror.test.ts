import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { locateIn } from "../../../data/release/index.ts";
import { parseMirror } from "./disk-remote.ts";

const SELF = "https://stac.overturemaps.org/catalog.json";
const FILE =
  "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/release/2026-10-21.0/theme=places/type=place/part-0.parquet";

test("--from is Overture's catalogue, an address, a bucket or a folder", () => {
  expect(parseMirror(undefined)).toEqual({ catalog: SELF, isMirror: false });
  expect(parseMirror("https://maps.example/overture")).toEqual({
    catalog: "https://maps.example/overture/catalog.json",
    isMirror: true,
  });
  expect(parseMirror("https://maps.example/stac.json").catalog).toBe("https://maps.example/stac.json");
  expect(parseMirror("file:///mnt/overture/").catalog).toBe("file:///mnt/overture/catalog.json");
  expect(parseMirror("data/sample").catalog).toBe(pathToFileURL("data/sample/catalog.json").href);
  expect(parseMirror("s3://bucket/some/where").catalog).toBe(
    "https://bucket.s3.us-west-2.amazonaws.com/some/where/catalog.json",
  );
  for (const wrong of ["ftp://maps.example", "no/such/folder", "https://"])
    expect(() => parseMirror(wrong)).toThrow(`--from ${wrong}: neither a folder nor an address`);
});

test("a mirror never links to another host", () => {
  const { document, file } = locateIn(parseMirror("https://maps.example/o"), SELF);
  const root = "https://maps.example/o/catalog.json";
  expect(document("https://stac.overturemaps.org/2026-10-21.0/catalog.json", root)).toBe(
    "https://maps.example/o/2026-10-21.0/catalog.json",
  );
  expect(document("./2026-10-21.0/catalog.json", root)).toBe("https://maps.example/o/2026-10-21.0/catalog.json");
  expect(file(FILE, root)).toBe("https://maps.example/o/release/2026-10-21.0/theme=places/type=place/part-0.parquet");
  expect(file("https://maps.example/o/elsewhere/part-0.parquet", root)).toBe(
    "https://maps.example/o/elsewhere/part-0.parquet",
  );
  expect(() => document("https://evil.example/catalog.json", root)).toThrow(
    /leads to https:\/\/evil.example.*, out of the mirror$/,
  );
  expect(() => file("https://evil.example/part-0.parquet", root)).toThrow("expected a file below release/");
});

test("Overture's catalogue may link to other hosts, but not to local files", () => {
  const { document, file } = locateIn(parseMirror(undefined), SELF);
  expect(file(FILE, SELF)).toBe(FILE);
  expect(document("2026-10-21.0/catalog.json", SELF)).toBe("https://stac.overturemaps.org/2026-10-21.0/catalog.json");
  expect(() => file("file:///etc/passwd", SELF)).toThrow("expected an address of https: or http:");
});
