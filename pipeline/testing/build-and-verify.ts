import { join } from "node:path";
import { expect } from "vitest";
import type { Geometry } from "../../data/format/geometry.ts";
import { createApi } from "../../web/api/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { runCairn } from "./run-cairn.ts";

/** Builds the sources below the folder and returns the dataset, in which `cairn verify` finds no fault. */
export async function buildAndVerify(source: string, folder: string): Promise<string> {
  const out = join(folder, "dataset");
  const built = await runCairn("build", source, "--out", out);
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
