import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDistanceMeter } from "../../data/format/distance.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { originAt, roundToMillimeter } from "../../data/format/sphere.ts";
import { foldBrand } from "../../data/format/terms.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import type { Dataset as EngineDataset } from "../../web/engine/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { type Dataset, open } from "../../web/reader/index.ts";
import { folder } from "../../web/reader/node.ts";
import type { Asked, Vector, VectorAnswer, VectorQuestion } from "./answers.ts";
import type { Addition, Invalid } from "./invalid.ts";
import { VECTORS } from "./source.ts";
import { DATASET, WRITTEN, writeVectors } from "./write.ts";

const VALID = join(VECTORS, DATASET);

async function load<T>(name: string): Promise<readonly T[]> {
  return JSON.parse(await readFile(join(VECTORS, name), "utf8")) as readonly T[];
}

let scratch: string;
let vectors: readonly Vector[];
let invalid: readonly Invalid[];
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "cairn-vectors-"));
  vectors = await load<Vector>("questions.json");
  invalid = await load<Invalid>("invalid.json");
});
afterAll(() => rm(scratch, { recursive: true }));

/** Answers of `cairn-reader`. */
async function readerAnswer(dataset: Dataset, question: VectorQuestion): Promise<VectorAnswer> {
  const { collection } = question;
  if ("get" in question) {
    const row = await dataset.get(collection, question.get);
    return { row: row ? { id: row.id, country: row.country, geometry: row.geometry } : null };
  }
  if ("cells" in question) {
    const cells = await dataset.cells(collection, question.cells);
    return { cells: Object.fromEntries(cells.map(({ cell, rows }) => [cell, rows])) };
  }
  const { total, rows } = await dataset.search(collection, question.search);
  return {
    total,
    rows: rows.map(({ id, ext_distance: distance }) => (distance === undefined ? { id } : { id, distance })),
  };
}

function queryOf(collection: string, asked: Asked) {
  const { lat, lng, radius = 1000, country, name, category, brand, class: wanted } = asked;
  const categories = typeof category === "string" ? [category] : category;
  const terms = [
    ...(name === undefined ? [] : queryTermsOf(name).map((word) => [`name:${word}`])),
    ...(categories ? [categories.map((value) => `category:${value}`)] : []),
    ...(brand === undefined ? [] : [[`brand:${foldBrand(brand)}`]]),
    ...(wanted === undefined ? [] : [[`class:${wanted}`]]),
  ];
  return {
    collections: [collection],
    ...(lat === undefined || lng === undefined ? {} : { circle: { lat, lon: lng, radiusMeters: radius } }),
    ...(country === undefined ? {} : { country }),
    filters: { terms },
  };
}

/** Answers of the engine. */
async function engineAnswer(dataset: EngineDataset, question: VectorQuestion): Promise<VectorAnswer> {
  const { collection } = question;
  if ("get" in question) {
    const feature = await dataset.find([collection], question.get);
    const { id = "", geometry, properties } = feature ?? {};
    return { row: geometry ? { id, country: String(properties?.country ?? properties?.ext_country), geometry } : null };
  }
  if ("cells" in question) {
    const { chars, ...asked } = question.cells;
    const { groups } = await dataset.count({ ...queryOf(collection, asked), group: { by: "cell", chars } });
    return { cells: Object.fromEntries(groups.map(({ key, rows }) => [key, rows])) };
  }
  const { offset = 0, limit = 25 } = question.search;
  const found = await dataset.search({ ...queryOf(collection, question.search), offset, limit });
  const rows = [...found.features()].map(({ id, properties: { ext_distance: distance } }) =>
    distance === undefined ? { id } : { id, distance: Number(distance) },
  );
  return { total: found.total, rows };
}

async function filesBelow(path: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(await Promise.all(paths.map(async (one) => [one.slice(path.length), await readFile(one)] as const)));
}

test("the vectors are written from their source: otherwise run npm run vectors", async () => {
  await writeVectors(scratch);
  for (const name of WRITTEN) {
    expect(await readFile(join(scratch, name), "utf8"), name).toBe(await readFile(join(VECTORS, name), "utf8"));
  }
  const [written, stored] = [await filesBelow(join(scratch, DATASET)), await filesBelow(VALID)];
  expect([...written.keys()]).toEqual([...stored.keys()]);
  for (const [name, bytes] of written) expect(bytes.equals(stored.get(name) as Buffer), name).toBe(true);
});

test("the vectors are small, and have questions of every kind", async () => {
  expect(vectors.length).toBe(107);
  for (const kind of ["search", "get", "cells"])
    expect(vectors.filter((vector) => kind in vector).length).toBeGreaterThan(5);
  expect(invalid.length).toBeGreaterThan(20);
  const files = await filesBelow(VALID);
  expect([...files.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(105_000);
});

test("cairn-reader has the answers", async () => {
  const dataset = await open(folder(VALID));
  for (const { answer, ...question } of vectors) {
    expect(await readerAnswer(dataset, question as VectorQuestion), JSON.stringify(question)).toEqual(answer);
  }
});

test("the engine has the answers", async () => {
  const dataset = openNodeDataset(VALID);
  for (const { answer, ...question } of vectors) {
    expect(await engineAnswer(dataset, question as VectorQuestion), JSON.stringify(question)).toEqual(answer);
  }
});

test("the reader in Python has the answers, and refuses the invalid datasets", async ({ skip }) => {
  const python = await promisify(execFile)("python3", ["--version"]).catch(() => undefined);
  if (!python && process.env.CI) throw new Error("CI has no python3");
  if (!python) return skip("python3 is not installed");
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const { stderr } = await promisify(execFile)("python3", ["data/python/tests/vectors.py"], { env });
  expect(stderr).toMatch(/Ran 5 tests[\s\S]*OK/);
});

test("texts are folded as the vectors have them", async () => {
  for (const { text, words } of await load<{ readonly text: string; readonly words: readonly string[] }>(
    "folding.json",
  )) {
    expect(queryTermsOf(text), text).toEqual(words);
  }
});

test("distances equal the vectors", async () => {
  const distances = await load<{ readonly from: Position; readonly geometry: Geometry; readonly distance: number }>(
    "distances.json",
  );
  expect(distances.length).toBeGreaterThan(10);
  for (const { from, geometry, distance } of distances) {
    const [lon, lat] = from;
    const meters = createDistanceMeter(originAt(lon, lat))(writeWkb(geometry));
    expect(roundToMillimeter(meters), JSON.stringify({ from, geometry })).toBe(distance);
  }
});

/** Makes the invalid dataset. */
async function patched({
  name,
  patches,
  missing = [],
}: Pick<Invalid, "name" | "patches" | "missing">): Promise<string> {
  const path = join(scratch, name.replaceAll(" ", "-"));
  await cp(VALID, path, { recursive: true });
  for (const { file, offset, length, text, hex, repeat = 1 } of [...patches].sort((a, b) => b.offset - a.offset)) {
    const bytes = await readFile(join(path, file));
    const written = hex === undefined ? Buffer.from((text ?? "").repeat(repeat)) : Buffer.from(hex, "hex");
    await writeFile(
      join(path, file),
      Buffer.concat([bytes.subarray(0, offset), written, bytes.subarray(offset + length)]),
    );
  }
  for (const file of missing) await rm(join(path, file));
  return path;
}

const resultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof Error ? error.name : String(error)));

test("readers ignore additions", async () => {
  const additions = await load<Addition & { readonly answer: VectorAnswer }>("additions.json");
  expect(additions.length).toBeGreaterThan(3);
  for (const { answer, ...one } of additions) {
    const path = await patched(one);
    expect(await readerAnswer(await open(folder(path)), one.question), one.name).toEqual(answer);
    expect(await engineAnswer(openNodeDataset(path), one.question), one.name).toEqual(answer);
  }
});

test("cairn-reader refuses the invalid datasets", async () => {
  for (const one of invalid) {
    const path = await patched(one);
    const ask = async (): Promise<unknown> => {
      const dataset = await open(folder(path));
      return one.question ? readerAnswer(dataset, one.question) : "opened";
    };
    const found = await resultOf(ask());
    expect([one.name, found]).toEqual([one.name, "CairnError"]);
  }
});

test("the engine refuses them, or answers from another copy", async () => {
  const valid = openNodeDataset(VALID);
  let refused = 0;
  for (const one of invalid) {
    const dataset = openNodeDataset(await patched(one));
    const { question } = one;
    const found = await resultOf(question ? engineAnswer(dataset, question) : dataset.manifest());
    if (typeof found === "string") {
      expect(found, one.name).toMatch(/^(?:Manifest|Fetch|Decode)Error$/);
      refused++;
    } else expect([one.name, found]).toEqual([one.name, question && (await engineAnswer(valid, question))]);
  }
  expect(refused).toBeGreaterThan(15);
});
