/**
 * An implementation in this process, for tests of the suite.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildDataset } from "../../../pipeline/builder/dataset/build.ts";
import { createApi } from "../../../web/api/index.ts";
import { openNodeDataset } from "../../../web/hosts/node/open.ts";
import type { Send } from "../client.ts";

/** Small, with rows for every path. */
export const SOURCES = [fileURLToPath(new URL("../../../data/sample/monaco", import.meta.url))];

export interface Implementation {
  readonly send: Send;
  close(): Promise<void>;
}

/** The interface over a dataset built from `SOURCES`. */
export async function startImplementation(): Promise<Implementation> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-conformance-"));
  const out = join(folder, "dataset");
  await buildDataset({ sources: SOURCES, out });
  const api = createApi({ dataset: openNodeDataset(out) });
  return {
    send: (path, init) => api(new Request(`http://cairn.test${path}`, init)),
    close: () => rm(folder, { recursive: true }),
  };
}
