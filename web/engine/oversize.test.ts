import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { isPage, MAX_MANIFEST_BYTES } from "../../data/format/manifest.ts";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { locationPackPath } from "../../data/format/paths.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { DecodeError, ManifestError } from "./contract/errors.ts";
import type { ByteSource, ReadOptions } from "./contract/ports.ts";
import type { Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { MAX_DECODED_BYTES } from "./store/parquet-size.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { memorySource } from "./testing/sources.ts";

/** Needs columns of the primary copy. */
const query: Query = { collections: ["place"], filters: { atLeast: { version: 1 } }, offset: 0, limit: 5 };
const files = await makeDataset({
  place: [{ id: "a", country: "AA", geometry: { type: "Point", coordinates: [0, 0] } }],
});

/** The smallest Parquet file: a footer that claims these values for a row group. */
function claiming(rows: number, bytes: number): Uint8Array {
  const group = [0x26, ...number(bytes), 0x16, ...number(rows), 0];
  const footer = [0x49, 0x1c, ...group, 0];
  const length = new Uint8Array(Uint32Array.of(footer.length).buffer);
  return Uint8Array.from([...Buffer.from("PAR1"), ...footer, ...length, ...Buffer.from("PAR1")]);
}

/** In the compact protocol: zigzag, seven bits per byte. */
function number(value: number): number[] {
  const rest = (bits: number): number[] =>
    bits < 128 ? [bits] : [128 + (bits % 128), ...rest(Math.floor(bits / 128))];
  return rest(2 * value);
}

/** The dataset with another file as its only partition, with a matching index. */
async function withPartition(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const manifest = parseManifest(JSON.parse(new TextDecoder().decode(files.get("manifest.json"))));
  const run = manifest.collections.place?.runs.location;
  const [node] = run?.nodes ?? [];
  if (!run || !node || isPage(node) || !("points" in node)) throw new Error("the dataset has no partition");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  Object.assign(node, { sha256, bytes: bytes.length, pack: `-/${sha256.slice(0, 16)}` });
  run.bytes = bytes.length;
  return new Map([
    ...files,
    ["manifest.json", await writeManifestFile(manifest)],
    [locationPackPath("place", node), bytes],
  ]);
}

test.each([
  ["bytes", claiming(1, MAX_DECODED_BYTES + 1), /holds 268435457 bytes uncompressed, expected at most 268435456/],
  ["rows", claiming(2, 100), /holds 2 rows, expected 1/],
  ["nothing that is known", new Uint8Array(50), /no Parquet file/],
])("a file that claims too many %s is not decoded", async (_, file, reason) => {
  const decode = vi.fn(decodeParquet);
  const source = memorySource(await withPartition(file));
  const search = openDataset({ source, decode }).search(query);
  await expect(search).rejects.toThrow(DecodeError);
  await expect(search).rejects.toThrow(reason);
  expect(decode).not.toHaveBeenCalled();
});

test("an endless manifest is read up to the limit, and refused", async () => {
  const asked: (ReadOptions | undefined)[] = [];
  const source: ByteSource = {
    name: "endless",
    async read(_, options) {
      asked.push(options);
      return new Uint8Array((options?.maxBytes ?? Number.POSITIVE_INFINITY) + 1).fill(0x20);
    },
  };
  const manifest = openDataset({ source, decode: decodeParquet }).manifest();
  await expect(manifest).rejects.toThrow(ManifestError);
  await expect(manifest).rejects.toThrow(`has more than ${MAX_MANIFEST_BYTES} bytes, the maximum`);
  expect(asked).toMatchObject([{ maxBytes: MAX_MANIFEST_BYTES }]);
});
