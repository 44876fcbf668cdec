import { join } from "node:path";
import { expect } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import type { Geometry } from "../../data/format/geometry.ts";
import { fromUtf8 } from "../../data/format/utf8.ts";
import { createApi } from "../../web/api/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { SEARCH_PATHS } from "../../web/search/paths.ts";
import { readDataset } from "./read-dataset.ts";
import { runCairn } from "./run-cairn.ts";

/** Builds the sources below the folder and returns the dataset, in which `cairn verify` finds no fault. */
export async function buildAndVerify(source: string, folder: string, ...options: readonly string[]): Promise<string> {
  const out = join(folder, "dataset");
  const built = await runCairn("build", source, "--out", out, ...options);
  expect(built.code, built.stderr).toBe(0);
  const verified = await runCairn("verify", out);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  return out;
}

export interface Answered {
  readonly id: string;
  readonly geometry: Geometry;
  readonly properties: Record<string, unknown>;
}

/** Returns the records of an answer in JSON. */
export async function query(dataset: string, request: string): Promise<readonly Answered[]> {
  const api = createApi({ dataset: openNodeDataset(dataset) });
  const response = await api(new Request(new URL(request, "http://localhost/")));
  expect(response.status).toBe(200);
  return (await response.json()) as Answered[];
}

/** Returns all records of a collection. */
export async function allRecords(dataset: string, name: CollectionName): Promise<readonly Answered[]> {
  const path = SEARCH_PATHS.find(({ collections, types = collections }) => types.includes(name));
  if (!path) throw new Error(`no path has the collection ${name}`);
  const types = path.types ? `&types=${name}` : "";
  return query(dataset, `${path.path}?lat=0&lng=0&radius=30000000&limit=25000${types}`);
}

/** Returns the value as records have it: without members that are null, and with null for numbers that JSON lacks. */
export function asRecorded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (isObject(item) ? withoutNulls(item) : item))) as unknown;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutNulls(value: object): object {
  const left = Object.entries(value).filter(([, member]) => member !== null && !isNotFinite(member));
  return Object.fromEntries(left);
}

const isNotFinite = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/** The columns of all records by id. */
export async function storedRecords(
  dataset: string,
  name: CollectionName,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const { records, manifest } = await readDataset(dataset);
  if (!manifest.collections[name]) return new Map();
  const all = Array.from(
    (await records(name)).values(),
    ({ record }) => JSON.parse(fromUtf8(record.json)) as Record<string, unknown>,
  );
  return new Map(all.map((one) => [String(one.id), one]));
}
