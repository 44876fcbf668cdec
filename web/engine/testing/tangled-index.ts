/**
 * An index that is no tree: each page of a level names all pages of the next. Its pages are few, the ways through it are
 * `width ** depth`. A width of 1 is a chain.
 * @module
 */
import { createHash } from "node:crypto";
import type { BBox } from "../../../data/format/bbox.ts";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { type AnyRunName, FORMAT_VERSION, type IndexNode, type ManifestRun } from "../../../data/format/manifest.ts";
import { pagePath } from "../../../data/format/paths.ts";

const BOX: BBox = [-1, -1, 1, 1];
const RUNS = ["location", "id", "term", "suggest", "find", "count_country"] as const;

/** Manifest and pages of places of country AA, by path. There are no partitions. */
export function tangledIndex({ width, depth }: { readonly width: number; readonly depth: number }) {
  const files = new Map<string, Uint8Array>();
  const hashOf = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

  function pageOf(run: AnyRunName, nodes: readonly IndexNode[]): IndexNode {
    const bytes = new TextEncoder().encode(JSON.stringify(nodes));
    const sha256 = hashOf(bytes);
    files.set(pagePath("place", sha256), bytes);
    const keys: Pick<Extract<IndexNode, { partitions: number }>, "first" | "last"> = run === "location"
      ? {}
      : { first: ["AA", ""], last: ["XX", "\u{10ffff}"] };
    return { sha256, bytes: bytes.length, rows: 1, bbox: BOX, partitions: 1, ...keys };
  }

  function runOf(run: AnyRunName): ManifestRun {
    const keys =
      run === "location" ? {} : run === "id" ? { first_id: "a", last_id: "z" } : { first_term: "", last_term: "z" };
    let nodes: IndexNode[] = Array.from({ length: width }, (_, i) => ({
      sha256: hashOf(`${run} ${i}`),
      bytes: 1,
      rows: 1,
      bbox: BOX,
      country: "AA",
      ...keys,
    }));
    for (let level = 0; level < depth; level++) {
      const below = nodes;
      // in another order each, so that no two pages are the same
      nodes = below.map((_, i) => pageOf(run, [...below.slice(i), ...below.slice(0, i)]));
    }
    return { partitions: 1, bytes: 1, nodes };
  }

  const place = {
    rows: 1,
    bbox: BOX,
    countries: { AA: 1000 },
    ignored_columns: [],
    runs: Object.fromEntries(RUNS.map((run) => [run, runOf(run)])),
  };
  const manifest = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: "tangled",
    fold_version: FOLD_VERSION,
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: hashOf(""), reasons: {} },
    collections: { place },
  };
  files.set("manifest.json", new TextEncoder().encode(JSON.stringify(manifest)));
  return files;
}
