/**
 * Checks sums of the index: rows and partitions of a node equal the sums of its members. Otherwise a removed or
 * misplaced node would silently shorten answers.
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
const WHOLE_RUNS: readonly AnyRunName[] = ["location", "records", "find"];

/** Returns the manifest. Throws with every wrong sum. */
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

function faultsOf(name: string, { rows, countries, stretches, runs }: ManifestCollection): string[] {
  const faults: string[] = [];
  const counted = Object.values(countries).reduce((sum, count) => sum + count, 0);
  if (counted !== rows) faults.push(`${name} has ${rows} rows, its countries have ${counted}`);
  const firsts = Object.keys(stretches).sort().join(" ");
  const known = Object.keys(countries).sort().join(" ");
  if (firsts !== known) faults.push(`${name} has rows in ${known}, and stretches of ${firsts}`);
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
    if (run === "location" || run === "records") faults.push(...faultsByCountry(name, countries, { run, nodes }));
    if (run === "records") faults.push(...faultsOfStretches(name, stretches, nodes));
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

/** Checks that stretches are numbered without gaps, and that `start` is the number of the country's rows before. */
function faultsOfStretches(
  name: string,
  stretches: ManifestCollection["stretches"],
  nodes: readonly IndexNode[],
): string[] {
  const faults: string[] = [];
  const starts = new Map<string, number>();
  for (const [number, node] of nodes.entries()) {
    // readers refuse a node of another run
    if (!("stretch" in node)) continue;
    const { country, stretch, rows } = node;
    const start = starts.get(country);
    starts.set(country, (start ?? 0) + rows);
    if (stretch !== number) faults.push(`${name} has stretch ${stretch} in place of ${number}`);
    if (node.start !== (start ?? 0))
      faults.push(`stretch ${stretch} of ${name} starts at row ${node.start} of ${country}, expected ${start ?? 0}`);
    if (start === undefined && stretches[country] !== stretch)
      faults.push(`${name} starts ${country} at stretch ${stretches[country]}, its nodes at ${stretch}`);
  }
  return faults;
}

/** Throws if the nodes of a page do not add up to the page's entry. */
export function requirePageSums({ sha256, rows, partitions }: PageNode, nodes: readonly IndexNode[]): void {
  const entered = `page ${sha256.slice(0, 16)} is entered with`;
  const [rowsBelow, partitionsBelow] = [sumOf(nodes, (node) => node.rows), sumOf(nodes, partitionsOf)];
  if (rowsBelow !== rows) throw new Error(`${entered} ${rows} rows, its nodes have ${rowsBelow}`);
  if (partitionsBelow !== partitions)
    throw new Error(`${entered} ${partitions} partitions, its nodes have ${partitionsBelow}`);
}
