/**
 * Writes the index of a dataset whose partitions are not there, in a process of its own, whose heap may be bounded:
 * `<folder> <partitions of a run>`. Tells its parent the roots, times, and memory.
 * @module
 */
import { type AnyRunName, type IndexNode, PACK_BYTES } from "../../data/format/manifest.ts";
import { buildIndex, fitRoots, lowestLevel, type Root, writeLowestPages, writePages } from "../index/index.ts";
import { makeUpLocationRun, makeUpRecords, makeUpTermRun, readSettlements } from "./made-up-index.ts";

export interface WrittenIndex {
  readonly roots: readonly (readonly [AnyRunName, readonly IndexNode[]])[];
  readonly partitions: number;
  readonly rows: number;
  /** Without what it takes to make partitions up. */
  readonly seconds: number;
  readonly residentBytes: number;
}

const [, , folder = "", count = ""] = process.argv;
const settlements = await readSettlements();
const startMaking = performance.now();
const location = makeUpLocationRun(settlements, Number(count));
let madeUpMs = performance.now() - startMaking;
let partitions = 0;

/** A run is made up when the one before it is written. */
async function* lowestLevels() {
  const makers = { location: () => location, records: makeUpRecords, term: makeUpTermRun } as const;
  for (const run of ["location", "records", "term"] as const) {
    const start = performance.now();
    const made = makers[run](location);
    madeUpMs += performance.now() - start;
    partitions += made.length;
    yield [run, lowestLevel(run, made)] as const;
  }
}

const place = { folder, collection: "place", packBytes: PACK_BYTES } as const;
const lowest = await writeLowestPages(place, lowestLevels());
const roots = Array.from(lowest, ([name, nodes]): Root => ({ name, nodes: buildIndex(name, nodes) }));
fitRoots(roots, 4096);
const written = await writePages(place, new Map(roots.map(({ name, nodes }) => [name, nodes])));
const told: WrittenIndex = {
  roots: [...written],
  partitions,
  rows: location.reduce((sum, partition) => sum + partition.rows, 0),
  seconds: (performance.now() - startMaking - madeUpMs) / 1000,
  residentBytes: process.resourceUsage().maxRSS * 1024,
};
process.send?.(told);
