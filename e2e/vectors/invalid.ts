/** Invalid datasets: patches of the valid one that a reader must refuse. @module */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { BLOCK_BYTES } from "../../data/format/blocks.ts";
import type { Manifest, Slice } from "../../data/format/manifest.ts";
import type { VectorQuestion } from "./answers.ts";

/** Replaces bytes of a file. Offsets count bytes of the unchanged file. */
export interface Patch {
  readonly file: string;
  readonly offset: number;
  /** Bytes that are replaced. */
  readonly length: number;
  /** The bytes in their place as UTF-8 text. */
  readonly text?: string;
  /** The bytes in their place in hexadecimal, if they are not text. */
  readonly hex?: string;
  /** How often the bytes are written. Default: 1. */
  readonly repeat?: number;
}

export interface Invalid {
  readonly name: string;
  /** Why a reader must refuse it. */
  readonly reason: string;
  readonly patches: readonly Patch[];
  /** Files that are missing. */
  readonly missing?: readonly string[];
  /** The question that must fail. Without it, opening the dataset must fail. */
  readonly question?: VectorQuestion;
}

const MANIFEST = "manifest.json";
const CIRCLE: VectorQuestion = { collection: "place", search: { lat: 43.7384, lng: 7.4246, radius: 900 } };
const COUNTRY: VectorQuestion = { collection: "place", search: { country: "MC" } };
const NAME: VectorQuestion = { collection: "place", search: { country: "MC", name: "cafe" } };
const LONG: VectorQuestion = { collection: "building", get: "fj-coast" };
const GET: VectorQuestion = { collection: "place", get: "32828dc5-446c-501b-a4e2-81fabd618f9e" };

/** Makes the invalid datasets from the folder of the valid one. */
export async function makeInvalid(folder: string): Promise<readonly Invalid[]> {
  const text = await readFile(join(folder, MANIFEST), "utf8");
  const { runs, dictionary } = placeOf(JSON.parse(text) as Manifest);
  const node = <T>(nodes: readonly T[]): T => nodes.find((one) => (one as { country?: string }).country === "MC") as T;
  const [points, records, ids, term, find] = [
    (node(runs.location.nodes) as unknown as { readonly points: Slice }).points,
    node(runs.records.nodes) as Slice,
    node(runs.ids.nodes) as Slice,
    node(runs.term?.nodes ?? []) as Slice,
    (runs.find?.nodes ?? [])[0] as Slice,
  ];
  const parts = (JSON.parse(text) as Manifest).collections.building?.runs.records.nodes[0] as Slice;
  const pack = (kind: string, slice: Slice) => `place/_${kind}/${slice.pack}.pack`;

  const change = (from: string, to: string) => changeOf(text, from, to);
  const damaged = async (file: string, offset: number): Promise<Patch[]> => {
    const [byte = 0] = (await readFile(join(folder, file))).subarray(offset, offset + 1);
    return [{ file, offset, length: 1, hex: Buffer.from([byte ^ 0xff]).toString("hex") }];
  };
  /** Replaces a slice by other bytes with the right hash. */
  const replaced = (file: string, slice: Slice, bytes: Buffer): Patch[] => {
    if (bytes.length > slice.bytes) throw new Error(`${bytes.length} bytes do not fit ${slice.bytes}`);
    const whole = Buffer.concat([bytes, Buffer.alloc(slice.bytes - bytes.length)]);
    return [
      ...change(slice.sha256, sha256(whole)),
      { file, offset: slice.offset, length: slice.bytes, hex: whole.toString("hex") },
    ];
  };
  const truncated = async (file: string, length: number): Promise<Patch[]> => {
    const all = await readFile(join(folder, file));
    return [{ file, offset: length, length: all.length - length, text: "" }];
  };

  return [
    {
      name: "damaged part",
      reason: "a part of a long geometry does not have its check",
      patches: await damaged(`building/_records/${parts.pack}.pack`, parts.offset + 2 * BLOCK_BYTES + 100),
      question: LONG,
    },
    { name: "no manifest", reason: "manifest.json is missing", patches: [], missing: [MANIFEST] },
    {
      name: "cut manifest",
      reason: "the manifest ends early, so it is not JSON",
      patches: await truncated(MANIFEST, 2000),
    },
    {
      name: "changed manifest",
      reason: "the content of the manifest does not have its sha256",
      patches: [patch(MANIFEST, text.indexOf('"vectors"'), '"vectors"', '"victors"')],
    },
    {
      name: "large manifest",
      reason: "a manifest has at most 1 MiB",
      patches: [{ file: MANIFEST, offset: Buffer.from(text).length, length: 0, text: " ", repeat: 1024 * 1024 }],
    },
    {
      name: "another format",
      reason: "format is not cairn",
      patches: change('"format": "cairn"', '"format": "cairo"'),
    },
    {
      name: "another version",
      reason: "format_version is not 3",
      patches: change('"format_version": 3', '"format_version": 4'),
    },
    {
      name: "wrong rows",
      reason: "rows of a collection is not the sum of its countries",
      patches: change('"rows": 30,', '"rows": 31,'),
    },
    {
      name: "wrong partitions",
      reason: "partitions of a run is not the number of its slices",
      patches: change('"partitions": 3,', '"partitions": 2,'),
    },
    {
      name: "lost country",
      reason: "segments has other countries than countries",
      patches: change('"segments": {"FJ":0,"MC":1,"ZZ":2}', '"segments": {"FJ":0,"MC":1,"AQ":2}'),
    },
    {
      name: "moved segments",
      reason: "segments of ids are not numbered from the first of each country",
      patches: change('"segments": {"FJ":0,"MC":1,"ZZ":2}', '"segments": {"FJ":0,"MC":2,"ZZ":1}'),
    },
    {
      name: "moved chunks",
      reason: "chunks of records are not numbered from the first of each country",
      patches: change('"chunks": {"FJ":0,"MC":1,"ZZ":2}', '"chunks": {"FJ":0,"MC":2,"ZZ":1}'),
    },
    {
      name: "wrong bytes",
      reason: "bytes of a run is not the sum of its slices",
      patches: change(`"bytes": ${runs.records.bytes},`, `"bytes": ${runs.records.bytes + 1},`),
    },
    {
      name: "wrong rejects",
      reason: "rows of rejects is not the sum of its reasons",
      patches: change('"reasons":{}', '"reasons":{"missing id":1}'),
    },
    {
      name: "pack outside the dataset",
      reason: "the name of a pack is not 16 hexadecimal digits, and leads out of the folder",
      patches: change(`"pack":"${points.pack}"`, '"pack":"../../../../etc/"'),
    },
    {
      name: "collection outside the dataset",
      reason: "the name of a collection leads out of the folder",
      patches: change('"building": {', '"../outer": {'),
    },
    {
      name: "large slice",
      reason: "a slice has at most 128 MiB",
      patches: change(`"bytes":${records.bytes},`, '"bytes":999999999,'),
    },
    {
      name: "wrong box",
      reason: "bbox is not four numbers",
      patches: change('"bbox":[179.99,', '"bbox":["west",'),
    },
    {
      name: "damaged points",
      reason: "the slice of points does not have its SHA-256",
      patches: await damaged(pack("points", points), points.offset + 10),
      question: CIRCLE,
    },
    {
      name: "no points",
      reason: "the pack of points is missing",
      patches: [],
      missing: [pack("points", points)],
      question: CIRCLE,
    },
    {
      name: "points with too many rows",
      reason: "the slice has its SHA-256, and claims 2^45 rows in a few bytes",
      patches: replaced(pack("points", points), points, deflateRawSync(varint(2 ** 45))),
      question: CIRCLE,
    },
    {
      name: "points that are not compressed",
      reason: "the slice has its SHA-256, and is not raw deflate",
      patches: replaced(pack("points", points), points, Buffer.alloc(points.bytes, 0xff)),
      question: CIRCLE,
    },
    {
      name: "points of fewer rows",
      reason: "the slice has its SHA-256, and has no row, while its node has 22",
      patches: replaced(pack("points", points), points, deflateRawSync(Buffer.from([0, 0]))),
      question: CIRCLE,
    },
    {
      name: "damaged records",
      reason: "a group of records does not have its check",
      patches: await damaged(pack("records", records), records.offset + 100),
      question: COUNTRY,
    },
    {
      name: "cut records",
      reason: "the pack of records ends early",
      patches: await truncated(pack("records", records), records.offset + 100),
      question: CIRCLE,
    },
    {
      name: "group longer than its chunk",
      reason: "the length of a group exceeds the chunk",
      patches: [{ file: pack("records", records), offset: records.offset + 8, length: 4, hex: "ffffff7f" }],
      question: CIRCLE,
    },
    {
      name: "damaged dictionary",
      reason: "the dictionary does not have its SHA-256",
      patches: await damaged(pack("dictionary", dictionary), dictionary.offset + 10),
      question: COUNTRY,
    },
    {
      name: "damaged ids",
      reason: "a block of ids does not have its check",
      patches: await damaged(pack("ids", ids), ids.offset + 20),
      question: COUNTRY,
    },
    {
      name: "damaged terms",
      reason: "the slice of posting lists does not have its SHA-256",
      patches: await damaged(pack("term", term), term.offset + 5),
      question: NAME,
    },
    {
      name: "damaged look-up of ids",
      reason: "the slice of the run find does not have its SHA-256",
      patches: await damaged(pack("find", find), find.offset + 5),
      question: GET,
    },
  ];
}

/** Changes a manifest at one position. Its own hash is right again. */
function changeOf(text: string, from: string, to: string): Patch[] {
  const offset = Buffer.from(text.slice(0, text.indexOf(from))).length;
  if (!text.includes(from)) throw new Error(`the manifest has no ${from}`);
  const hash = (JSON.parse(text) as Manifest).sha256;
  const changed = text.replace(hash, "0".repeat(64)).replace(from, to);
  return [
    patch(MANIFEST, Buffer.from(text.slice(0, text.indexOf(hash))).length, hash, sha256(Buffer.from(changed))),
    patch(MANIFEST, offset, from, to),
  ];
}

/** A dataset with something that readers do not know and must ignore. */
export interface Addition extends Pick<Invalid, "name" | "patches"> {
  readonly question: VectorQuestion;
}

/** Makes datasets that have the answers of the valid one. */
export async function makeAdditions(folder: string): Promise<readonly Addition[]> {
  const text = await readFile(join(folder, MANIFEST), "utf8");
  const added = (name: string, from: string, to: string): Addition => ({
    name,
    patches: changeOf(text, from, to),
    question: { collection: "place", search: { country: "MC", name: "cafe" } },
  });
  const [first] = JSON.parse(text).attribution as readonly { readonly dataset: string }[];
  const dataset = `"dataset":${JSON.stringify(first?.dataset)}`;
  return [
    added("a member of the manifest", '"fold_version": 2,', '"fold_version": 2, "future": {"a": [1]},'),
    added("a member of a collection", '"ignored_columns": [],', '"ignored_columns": [], "future": null,'),
    added("a member of an attribution", dataset, `${dataset},"future":true`),
    added("a run", '"runs": {', '"runs": {"future": {"shape": "unknown"},'),
  ];
}

function placeOf({ collections }: Manifest): Manifest["collections"][string] {
  const { place } = collections;
  if (!place) throw new Error("the vectors have no collection place");
  return place;
}

function patch(file: string, offset: number, from: string, to: string): Patch {
  return { file, offset, length: Buffer.from(from).length, text: to };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
