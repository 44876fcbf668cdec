/**
 * A release of places without files, with synthetic index pages. It records the order in which they are read.
 * @module
 */
import { createHash } from "node:crypto";
import type { BBox } from "../../../data/format/bbox.ts";
import {
  FORMAT_VERSION,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestRun,
  type PageNode,
  type SegmentNode,
  type Slice,
  type TermNode,
} from "../../../data/format/manifest.ts";
import { packNameOf } from "../../../data/format/paths.ts";
import { FetchError } from "../contract/errors.ts";
import type { Session } from "../store/session.ts";

/** A partition by the first and the last key of its rows: terms, or ids. */
export interface MadeUpPartition {
  readonly country: string;
  readonly first: string;
  readonly last: string;
  readonly rows?: number;
}

export interface MadeUpRelease {
  readonly session: Session;
  /** First keys of the pages read, by round: pages of one round were requested in parallel. */
  readonly rounds: readonly (readonly string[])[];
  /** Makes the page that starts with the key unreadable. */
  lose(first: string): void;
}

interface Round {
  readonly keys: string[];
  readonly asked: Set<string>;
  readonly isAnswered: Promise<void>;
}

const EVERYWHERE: BBox = [-180, -90, 180, 90];
const BYTES_PER_PARTITION = 100_000;

/** Creates a term run and ids of places, with an index of the given nodes per page and number of levels. */
export function makeRelease(
  runs: { readonly term?: readonly MadeUpPartition[]; readonly ids?: readonly MadeUpPartition[] },
  { nodesPerPage, levels }: { readonly nodesPerPage: number; readonly levels: number },
): MadeUpRelease {
  const children = new Map<string, readonly IndexNode[]>();
  const firstKeys = new Map<string, string>();
  const lost = new Set<string>();
  const read = new Set<string>();
  const rounds: string[][] = [];
  let round: Round | undefined;

  function beginRound(): Round {
    const keys: string[] = [];
    rounds.push(keys);
    // answers only after all parallel requests have started
    const isAnswered = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      round = undefined;
    });
    return { keys, asked: new Set(), isAnswered };
  }

  function pageOf(nodes: readonly IndexNode[]): PageNode {
    const [first, last] = [nodes[0], nodes.at(-1)].map((node) => node && keysOf(node));
    const keys: Pick<PageNode, "first" | "last"> =
      first?.first && last?.last ? { first: first.first, last: last.last } : {};
    const slice = sliceOf(JSON.stringify(nodes), 30_000);
    children.set(slice.sha256, nodes);
    firstKeys.set(slice.sha256, keys.first?.[1] ?? "");
    const partitions = nodes.reduce((sum, node) => sum + (isPage(node) ? node.partitions : 1), 0);
    return { ...slice, rows: rowsOf(nodes), bbox: EVERYWHERE, partitions, ...keys };
  }

  function runOf(made: readonly (SegmentNode | TermNode)[]): ManifestRun {
    let nodes: readonly IndexNode[] = made;
    for (let level = 0; level < levels; level++) {
      const above: IndexNode[] = [];
      for (let at = 0; at < nodes.length; at += nodesPerPage) above.push(pageOf(nodes.slice(at, at + nodesPerPage)));
      nodes = above;
    }
    return { partitions: made.length, bytes: made.length * BYTES_PER_PARTITION, nodes: [...nodes] };
  }

  const { term = [], ids = [] } = runs;
  const countries: Record<string, number> = {};
  const segments: Record<string, number> = {};
  for (const [segment, { country, rows = 1 }] of ids.entries()) {
    countries[country] = (countries[country] ?? 0) + rows;
    segments[country] ??= segment;
  }
  const none = { partitions: 0, bytes: 0, nodes: [] };
  const manifest: Manifest = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    sha256: hashOf("made-up"),
    release: "made-up",
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: hashOf(""), reasons: {} },
    collections: {
      place: {
        rows: Object.values(countries).reduce((sum, rows) => sum + rows, 0),
        bbox: EVERYWHERE,
        countries,
        segments,
        chunks: segments,
        dictionary: sliceOf("dictionary", 1),
        ignored_columns: [],
        runs: { location: none, records: none, ids: runOf(ids.map(segmentOf)), term: runOf(term.map(termsOf)) },
      },
    },
  };

  async function readPage({ sha256 }: PageNode): Promise<void> {
    const key = firstKeys.get(sha256) ?? "";
    if (read.has(sha256)) return;
    round ??= beginRound();
    if (!round.asked.has(sha256)) round.keys.push(key);
    round.asked.add(sha256);
    await round.isAnswered;
    if (lost.has(key)) throw new FetchError(`the page from ${key} is lost`, { path: key });
    read.add(sha256);
  }
  const noFile = (): never => {
    throw new FetchError("a synthetic release has no files", { path: "" });
  };
  const session: Session = {
    manifest,
    childrenOf: ({ sha256 }) => (read.has(sha256) ? children.get(sha256) : undefined),
    readPages: async (pages) => void (await Promise.all(pages.map(({ node }) => readPage(node)))),
    signal: new AbortController().signal,
    hasGeometry: true,
    files: [],
    usedBytes: () => 0,
    milliseconds: { plan: 0, read: 0, execute: 0 },
    timed: (_, work) => work(),
    readDictionary: noFile,
    readPartition: noFile,
    readPoints: noFile,
    readPostings: noFile,
    readCells: noFile,
    readTable: noFile,
    readDirectory: noFile,
    readIdBlocks: noFile,
    readGroups: noFile,
    isUsed: () => false,
    isCached: () => false,
    costs: () => ({ requestBytes: 0, decodeBytes: 0 }),
    isBlockCached: () => false,
  };
  return { session, rounds, lose: (first) => void lost.add(first) };
}

function termsOf({ country, first, last, rows = 1 }: MadeUpPartition): TermNode {
  const slice = sliceOf(`term ${country} ${first} ${last} ${rows}`, BYTES_PER_PARTITION);
  return { ...slice, rows, bbox: EVERYWHERE, country, first_term: first, last_term: last, start: 0 };
}

function segmentOf({ country, first, last, rows = 1 }: MadeUpPartition, segment: number): SegmentNode {
  const slice = sliceOf(`ids ${country} ${first} ${last} ${rows}`, BYTES_PER_PARTITION);
  const own = { first_id: first, last_id: last, start: 0, segment, blocks: 1 };
  return { ...slice, rows, bbox: EVERYWHERE, country, ...own };
}

/** A slice without content. */
function sliceOf(content: string, bytes: number): Slice {
  const sha256 = hashOf(content);
  return { sha256, bytes, pack: packNameOf(sha256), offset: 0 };
}

function keysOf(node: IndexNode): Pick<PageNode, "first" | "last"> {
  if (isPage(node)) return node;
  if ("first_term" in node) return { first: [node.country, node.first_term], last: [node.country, node.last_term] };
  if ("first_id" in node) return { first: [node.country, node.first_id], last: [node.country, node.last_id] };
  return {};
}

function rowsOf(nodes: readonly IndexNode[]): number {
  return nodes.reduce((sum, { rows }) => sum + rows, 0);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
