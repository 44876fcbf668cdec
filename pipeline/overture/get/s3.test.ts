import { readFile } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Mirror } from "../../../data/release/index.ts";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import { filesBelow } from "../../base/disk/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashExtract } from "../../testing/hash-tree.ts";
import { mirrorServers } from "../../testing/mirror-servers.ts";
import { parseMirror } from "./disk-remote.ts";
import { getExtract } from "./get-extract.ts";

const newFolder = temporaryFolders();
const serve = mirrorServers();

const BUCKET = "overturemaps-us-west-2";
const RELEASE = "2026-10-21.0";

let store: S3rver;
/** Address of the bucket. */
let bucket: string;
let mirror: string;

beforeAll(async () => {
  store = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: await newFolder(),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await store.run();
  bucket = `http://127.0.0.1:${port}/${BUCKET}/`;
  mirror = await newFolder();
  await makeRelease({
    out: mirror,
    releases: [RELEASE],
    types: ["place", "division_area"],
    dataUrl: bucket.slice(0, -1),
  });
  for (const path of await filesBelow(mirror)) {
    const { status } = await fetch(bucket + path, { method: "PUT", body: await readFile(join(mirror, path)) });
    expect(status).toBe(200);
  }
});

afterAll(() => store.close());

async function hashesOf(mirror: Mirror): Promise<Record<string, string>> {
  const out = join(await newFolder(), "out");
  await getExtract({ out, area: { kind: "box", bbox: [-105.28, 40.01, -105.26, 40.02] }, mirror });
  const paths = await filesBelow(out);
  expect(paths).toContain("attribution.json");
  expect(paths.filter((path) => path.includes("type=place"))).toHaveLength(1);
  return hashExtract(out);
}

test("an S3-compatible bucket gives the same files as a disk", async () => {
  const expected = await hashesOf(parseMirror(mirror));
  expect(await hashesOf(parseMirror(bucket))).toEqual(expected);
  const env = { AWS_ENDPOINT_URL: bucket.replace(`/${BUCKET}/`, "") };
  expect(await hashesOf(parseMirror(`s3://${BUCKET}`, env))).toEqual(expected);
});

test("a catalogue on one host may link to files on another, as Overture's does", async () => {
  const host = await serve(mirror);
  const folder = await newFolder();
  const urls = { catalogUrl: host.url.slice(0, -1), dataUrl: bucket.slice(0, -1) };
  await makeRelease({ out: folder, releases: [RELEASE], types: ["place", "division_area"], ...urls });
  const published = await serve(folder);
  const official = { catalog: `${published.url}catalog.json`, isMirror: false };
  // Links use the catalogue's own address, files the bucket's.
  expect(await hashesOf(official)).toEqual(await hashesOf(parseMirror(mirror)));
  expect(host.asked).toEqual([]);
  expect(published.asked.filter(({ path }) => path.endsWith(".parquet"))).toEqual([]);
  expect(published.asked.length).toBeGreaterThan(5);
});
