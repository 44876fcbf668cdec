/**
 * An index that is not a tree: each page of a level names all pages of the next. It has few pages but `width **
 * depth` paths. A width of 1 is a chain.
 * @module
 */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { BBox } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  FORMAT_VERSION,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestRun,
  type PageNode,
  type PartitionNode,
  type Slice,
} from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { MANIFEST_PATH, packNameOf, packPath } from "../../../data/format/paths.ts";

const BOX: BBox = [-1, -1, 1, 1];

/** Returns the manifest and pages of places of country AA, by path, without partitions. */
export async function cyclicIndex({ width, depth }: { readonly width: number; readonly depth: number }) {
  const files = new Map<string, Uint8Array>();

  function pageOf(run: AnyRunName, nodes: readonly IndexNode[]): PageNode {
    const bytes = new Uint8Array(deflateRawSync(JSON.stringify(nodes)));
    const sha256 = hashOf(bytes);
    const pack = packNameOf(sha256);
    files.set(packPath("place", "pages", pack), bytes);
    const keys: Pick<PageNode, "first" | "last"> =
      run === "location" ? {} : { first: [ALL_COUNTRIES, ""], last: ["ZZ", "\u{10ffff}"] };
    return { sha256, bytes: bytes.length, pack, offset: 0, bbox: BOX, ...sumsOf(nodes), ...keys };
  }

  function runOf(run: AnyRunName): ManifestRun {
    let nodes: IndexNode[] = Array.from({ length: width }, (_, i) => partitionOf(run, i));
    for (let level = 0; level < depth; level++) {
      const below = nodes;
      // each in another order, so that no two pages are equal
      nodes = below.map((_, i) => pageOf(run, [...below.slice(i), ...below.slice(0, i)]));
    }
    return { partitions: sumsOf(nodes).partitions, bytes: 1, nodes };
  }

  const location = runOf("location");
  const { rows } = sumsOf(location.nodes);
  const manifest: Omit<Manifest, "sha256"> = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: "cyclic",
    fold_version: FOLD_VERSION,
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: hashOf(""), reasons: {} },
    collections: {
      place: {
        rows,
        bbox: BOX,
        countries: { AA: rows },
        segments: { AA: 0 },
        chunks: { AA: 0 },
        dictionary: sliceOf("dictionary"),
        ignored_columns: [],
        runs: {
          location,
          records: runOf("records"),
          ids: runOf("ids"),
          term: runOf("term"),
          suggest: runOf("suggest"),
          find: runOf("find"),
          count_country: runOf("count_country"),
        },
      },
    },
  };
  files.set(MANIFEST_PATH, await writeManifestFile(manifest));
  return files;
}

/** Sums over the nodes as if they were a tree. */
function sumsOf(nodes: readonly IndexNode[]): { readonly rows: number; readonly partitions: number } {
  return {
    rows: nodes.reduce((sum, node) => sum + node.rows, 0),
    partitions: nodes.reduce((sum, node) => sum + (isPage(node) ? node.partitions : 1), 0),
  };
}

function partitionOf(run: AnyRunName, i: number): PartitionNode {
  const common = {
    ...sliceOf(`${run} ${i}`),
    rows: 1,
    bbox: BOX,
    country: run === "count_country" ? ALL_COUNTRIES : "AA",
  };
  if (run === "location")
    return { ...common, pack: `-/${common.pack}`, geohash: "-", points: sliceOf(`points ${i}`), record: 0 };
  if (run === "records") return { ...common, bytes: BLOCK_BYTES, chunk: i, blocks: 1 };
  if (run === "ids") {
    return { ...common, bytes: BLOCK_BYTES + 1, first_id: "a", last_id: "z", start: i, segment: i, blocks: 1 };
  }
  return { ...common, first_term: "", last_term: "z", start: 0 };
}

/** A slice without content. */
function sliceOf(content: string): Slice {
  const sha256 = hashOf(content);
  return { sha256, bytes: 1, pack: packNameOf(sha256), offset: 0 };
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
