import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type PageNode,
  type Slice,
} from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { readPage } from "../../../data/format/manifest-schema.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import { MANIFEST_PATH, packPath, slicesOfNode } from "../../../data/format/paths.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { datasetElsewhere, pinnedKey } from "../../../web/hosts/http/index.ts";
import { type Answer, type Ask, contentOf, isHtml } from "./ask.ts";

/** A slice (one range of bytes in a pack file), as the index describes it. */
export interface NamedSlice {
  /** Address of the pack with the slice. */
  readonly url: URL;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Dataset {
  readonly base: URL;
  readonly manifestAnswer: Answer;
  readonly manifest: Manifest;
}

export interface Page {
  readonly base: URL;
  readonly index: Answer;
  readonly serviceWorker: Answer;
  readonly assets: readonly URL[];
  /** Address of the dataset if it is not in the page's folder. */
  readonly elsewhere: URL | undefined;
  /** Public keys that the page pins, as text. */
  readonly key: string | undefined;
}

interface Site {
  readonly page: Page | undefined;
  readonly dataset: Dataset | undefined;
  /** Why there is no dataset; undefined if there is one. */
  readonly datasetProblem: string | undefined;
}

/**
 * Returns the page at the address, and its dataset: the one that the page names, or the one in its folder `dataset`.
 * Without a page, returns the dataset at the address or in its folder `dataset`. `datasetProblem` says why there is
 * none. Throws if the host does not answer.
 */
export async function findSite(address: URL, ask: Ask): Promise<Site> {
  const base = address.pathname.endsWith("/")
    ? address
    : new URL(address.pathname.replace(/[^/]*\.\w+$|$/, "/").replace(/\/+$/, "/"), address);
  const index = await ask(base);
  const text = isHtml(contentOf(index)) ? contentOf(index).toString() : "";
  const isOurPage = index.status === 200 && /assets\/[\w.-]+\.js/.test(text);
  const page = isOurPage ? await readWebPage(index, text, ask) : undefined;
  const addresses = page?.elsewhere
    ? [page.elsewhere]
    : page
      ? [new URL("dataset/", base)]
      : [base, new URL("dataset/", base)];
  const problems: string[] = [];
  for (const address of addresses) {
    const found = await readDataset(address, ask);
    if (typeof found !== "string") return { page, dataset: found, datasetProblem: undefined };
    problems.push(found);
  }
  return { page, dataset: undefined, datasetProblem: problems.join("; ") };
}

async function readWebPage(index: Answer, text: string, ask: Ask): Promise<Page> {
  const base = index.url;
  const serviceWorker = await ask(new URL("service-worker.js", base));
  const all = `${text}\n${serviceWorker.status === 200 ? contentOf(serviceWorker).toString() : ""}`;
  const names = new Set(all.match(/assets\/[\w.-]+-[\w-]{8,}\.[\w.]+/g) ?? []);
  const named = datasetElsewhere(text);
  const elsewhere = named === undefined ? undefined : new URL(named, base);
  return {
    base,
    index,
    serviceWorker,
    assets: [...names].sort().map((name) => new URL(name, base)),
    elsewhere,
    key: pinnedKey(text),
  };
}

async function readDataset(base: URL, ask: Ask): Promise<Dataset | string> {
  const url = new URL(MANIFEST_PATH, base);
  const manifestAnswer = await ask(url, undefined, MAX_MANIFEST_BYTES);
  if (manifestAnswer.status !== 200) return `${url} answers ${manifestAnswer.status}`;
  if (manifestAnswer.isCut) return `${url} has more than ${MAX_MANIFEST_BYTES} bytes, or ends too soon`;
  try {
    const manifest = await readManifestFile(contentOf(manifestAnswer));
    return { base, manifestAnswer, manifest };
  } catch (error) {
    const reason = messageOf(error);
    return isHtml(manifestAnswer.body) ? `${url} answers with a web page` : `${url}: ${reason}`;
  }
}

/**
 * Yields slices of all collections: the dictionary, and of each run the pages of the index and the partitions. Without
 * `isAll`, only the first partition of each run and the pages above it. Throws if the pages do not form a tree.
 */
export async function* namedSlices({ base, manifest }: Dataset, isAll: boolean, ask: Ask): AsyncGenerator<NamedSlice> {
  for (const [name, collection] of Object.entries(manifest.collections)) {
    yield named(base, packPath(name, "dictionary", collection.dictionary.pack), collection.dictionary);
    for (const [run, tree] of Object.entries(collection.runs)) {
      if (tree) yield* slicesBelow({ base, collection: name, run: run as AnyRunName }, tree.nodes, isAll, ask);
    }
  }
}

interface Run {
  readonly base: URL;
  readonly collection: CollectionName;
  readonly run: AnyRunName;
}

async function* slicesBelow(
  run: Run,
  nodes: readonly IndexNode[],
  isAll: boolean,
  ask: Ask,
): AsyncGenerator<NamedSlice> {
  const { base, collection } = run;
  const taken = (all: readonly IndexNode[]) => (isAll ? all : all.slice(0, 1));
  const readNodes = async (node: PageNode): Promise<readonly IndexNode[] | undefined> => {
    try {
      const { url, offset, bytes } = named(base, packPath(collection, "pages", node.pack), node);
      const answer = await ask(url, { start: offset, end: offset + bytes });
      const content = contentOf(answer);
      const slice = answer.status === 206 ? content : content.subarray(offset, offset + bytes);
      return taken(readPage(slice).nodes);
    } catch {
      // The check of its bytes reports a damaged page.
      return undefined;
    }
  };
  for await (const node of walkIndex(taken(nodes), readNodes)) {
    for (const { path, slice } of slicesOfNode(collection, run.run, node)) yield named(base, path, slice);
  }
}

function named(base: URL, path: string, { offset, bytes, sha256 }: Slice): NamedSlice {
  return { url: new URL(path, base), offset, bytes, sha256 };
}
