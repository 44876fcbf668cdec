/**
 * Checks sums of the index: `rows` and `partitions` (number of slices) of an entry are the sums of the nodes below it.
 * Otherwise a removed or misplaced node would silently shorten answers.
 *
 * @module
 */
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  type PageNode,
} from "./manifest.ts";

const partitionsOf = (node: IndexNode): number => (isPage(node) ? node.partitions : 1);

const sumOf = (nodes: readonly IndexNode[], count: (node: IndexNode) => number): number =>
  nodes.reduce((sum, node) => sum + count(node), 0);

/** Runs with every row of the collection exactly once. */
const WHOLE_RUNS: readonly AnyRunName[] = ["location", "records", "ids", "find"];

/** Whether each node of the run has rows of one country only. */
const isByCountry = (run: AnyRunName): boolean => run === "location" || run === "records" || run === "ids";

/** Returns the manifest if all its sums are right. Otherwise throws an error that lists all wrong sums. */
export function requireSums(manifest: Manifest): Manifest {
  const faults = faultsOfSums(manifest);
  if (faults.length > 0) throw new Error(`its sums are wrong: ${faults.join("; ")}`);
  return manifest;
}

/** Lists sums of the manifest that do not match. */
function faultsOfSums({ collections, rejects }: Manifest): string[] {
  const faults = Object.entries(collections).flatMap(([name, collection]) => faultsOf(name, collection));
  const reasons = Object.values(rejects.reasons).reduce((sum, rows) => sum + rows, 0);
  if (reasons !== rejects.rows) faults.push(`rejects has ${rejects.rows} rows, its reasons have ${reasons}`);
  return faults;
}

function faultsOf(name: string, { rows, countries, segments, chunks, runs }: ManifestCollection): string[] {
  const faults: string[] = [];
  const counted = Object.values(countries).reduce((sum, count) => sum + count, 0);
  if (counted !== rows) faults.push(`${name} has ${rows} rows, its countries have ${counted}`);
  const known = Object.keys(countries).sort().join(" ");
  for (const [what, first] of Object.entries({ segments, chunks })) {
    const firsts = Object.keys(first).sort().join(" ");
    if (firsts !== known) faults.push(`${name} has rows in ${known}, and ${what} of ${firsts}`);
  }
  for (const [run, index] of Object.entries(runs) as [AnyRunName, ManifestRun | undefined][]) {
    if (!index) continue;
    const { partitions, bytes, nodes } = index;
    const below = sumOf(nodes, partitionsOf);
    if (below !== partitions) faults.push(`${name} has ${partitions} partitions of ${run}, its nodes have ${below}`);
    const rowsBelow = sumOf(nodes, (node) => node.rows);
    if (WHOLE_RUNS.includes(run) && rowsBelow !== rows)
      faults.push(`${name} has ${rows} rows, its nodes of ${run} have ${rowsBelow}`);
    // an entry of a page does not contain the bytes and countries below it
    if (nodes.some(isPage)) continue;
    const bytesBelow = sumOf(nodes, (node) => node.bytes);
    if (bytesBelow !== bytes) faults.push(`${name} has ${bytes} bytes of ${run}, its nodes have ${bytesBelow}`);
    if (isByCountry(run)) faults.push(...faultsByCountry(name, countries, { run, nodes }));
    if (run === "ids") faults.push(...faultsOfNumbers(name, "segment", segments, nodes));
    if (run === "records") faults.push(...faultsOfNumbers(name, "chunk", chunks, nodes));
  }
  return faults;
}

function faultsByCountry(
  name: string,
  countries: ManifestCollection["countries"],
  { run, nodes }: { readonly run: AnyRunName; readonly nodes: readonly IndexNode[] },
): string[] {
  return Object.entries(countries).flatMap(([country, rows]) => {
    const found = sumOf(nodes, (node) => ("country" in node && node.country === country ? node.rows : 0));
    return found === rows ? [] : [`${name} has ${rows} rows in ${country}, its nodes of ${run} have ${found}`];
  });
}

/**
 * Checks that segments or chunks are numbered without gaps, the first one of each country, and that `start` is the
 * number of the country's rows before.
 */
function faultsOfNumbers(
  name: string,
  kind: "segment" | "chunk",
  firsts: Readonly<Record<string, number>>,
  nodes: readonly IndexNode[],
): string[] {
  const faults: string[] = [];
  const rowsBefore = new Map<string, number>();
  let before: string | undefined;
  for (const [number, node] of nodes.entries()) {
    // readers refuse a node of another run
    if (!("segment" in node || "chunk" in node)) continue;
    const { country } = node;
    const own = "segment" in node ? node.segment : node.chunk;
    if (own !== number) faults.push(`${name} has ${kind} ${own} instead of ${number}`);
    if (country !== before && firsts[country] !== own)
      faults.push(`${name} starts ${country} at ${kind} ${firsts[country]}, its nodes at ${own}`);
    before = country;
    const start = rowsBefore.get(country) ?? 0;
    rowsBefore.set(country, start + node.rows);
    if ("start" in node && node.start !== start)
      faults.push(`${kind} ${own} of ${name} starts at row ${node.start} of ${country}, expected ${start}`);
  }
  return faults;
}

/** Throws if the rows or slices of a page's nodes do not add up to the `rows` and `partitions` in the page's entry. */
export function requirePageSums({ sha256, rows, partitions }: PageNode, nodes: readonly IndexNode[]): void {
  const entered = `page ${sha256.slice(0, 16)} is entered with`;
  const [rowsBelow, partitionsBelow] = [sumOf(nodes, (node) => node.rows), sumOf(nodes, partitionsOf)];
  if (rowsBelow !== rows) throw new Error(`${entered} ${rows} rows, its nodes have ${rowsBelow}`);
  if (partitionsBelow !== partitions)
    throw new Error(`${entered} ${partitions} partitions, its nodes have ${partitionsBelow}`);
}
