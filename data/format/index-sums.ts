/**
 * Checks sums of the index: rows and partitions of a node equal the sums of its members. Otherwise a removed or
 * misplaced
 * node would silently shorten answers.
 * @module
 */
import type { AnyRunName, IndexNode, Manifest, ManifestCollection, ManifestRun, PageNode } from "./manifest.ts";

/** Only pages have `partitions`. */
const partitionsOf = (node: IndexNode): number => ("partitions" in node ? node.partitions : 1);

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
    const { partitions, nodes } = index;
    const below = sumOf(nodes, partitionsOf);
    if (below !== partitions) faults.push(`${name} has ${partitions} partitions of ${run}, its nodes have ${below}`);
    const rowsBelow = sumOf(nodes, (node) => node.rows);
    if (WHOLE_RUNS.includes(run) && rowsBelow !== rows)
      faults.push(`${name} has ${rows} rows, its nodes of ${run} have ${rowsBelow}`);
    if (run === "location" || run === "records") faults.push(...faultsByCountry(name, countries, { run, nodes }));
  }
  return faults;
}

/** Checks the rows of each country, if no page has several countries. */
function faultsByCountry(
  name: string,
  countries: ManifestCollection["countries"],
  { run, nodes }: { readonly run: AnyRunName; readonly nodes: readonly IndexNode[] },
): string[] {
  if (nodes.some((node) => "partitions" in node)) return [];
  return Object.entries(countries).flatMap(([country, rows]) => {
    const found = sumOf(nodes, (node) => ("country" in node && node.country === country ? node.rows : 0));
    return found === rows ? [] : [`${name} has ${rows} rows in ${country}, its nodes of ${run} have ${found}`];
  });
}

/** Throws if the nodes of a page do not add up to the page's entry. */
export function requirePageSums({ sha256, rows, partitions }: PageNode, nodes: readonly IndexNode[]): void {
  const entered = `page ${sha256.slice(0, 16)} is entered with`;
  const [rowsBelow, partitionsBelow] = [sumOf(nodes, (node) => node.rows), sumOf(nodes, partitionsOf)];
  if (rowsBelow !== rows) throw new Error(`${entered} ${rows} rows, its nodes have ${rowsBelow}`);
  if (partitionsBelow !== partitions)
    throw new Error(`${entered} ${partitions} partitions, its nodes have ${partitionsBelow}`);
}
