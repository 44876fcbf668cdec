/**
 * How the term run is cut. Pure: counts in, row ranges out.
 * @module
 */
import type { PlannedPartition } from "./plan-partitions.ts";

/** Rows of one term in one country. */
export interface TermCount {
  readonly country: string;
  readonly term: string;
  readonly rows: number;
  /** Rows among them that have their columns. */
  readonly full: number;
}

/** A light row takes about this share of a full one's bytes. */
const LIGHT_SHARE = 1 / 8;

export interface PlannedTerms extends PlannedPartition {
  readonly firstTerm: string;
  readonly lastTerm: string;
  /** Rows of the first term before this partition. */
  readonly startInTerm: number;
}

/**
 * Cuts the run: a term of more than `target` full rows, or their weight in light ones, has partitions of its own, cut into equal parts by id; others stand
 * together, whole. No partition mixes countries. The counts are in the run's order.
 */
export function planTermRun(counts: readonly TermCount[], target: number): PlannedTerms[] {
  const partitions: PlannedTerms[] = [];
  let position = 0;
  let open = 0;
  for (const { country, term, rows, full } of counts) {
    const last = partitions.at(-1);
    const size = full + (rows - full) * LIGHT_SHARE;
    if (size > target) {
      const parts = Math.ceil(size / target);
      for (let part = 0; part < parts; part++) {
        const [start, end] = [part, part + 1].map((edge) => Math.floor((edge * rows) / parts)) as [number, number];
        partitions.push({
          country,
          start: position + start,
          end: position + end,
          firstTerm: term,
          lastTerm: term,
          startInTerm: start,
        });
      }
      open = 0;
    } else if (open > 0 && last && last.country === country && open + size <= target) {
      open += size;
      partitions[partitions.length - 1] = { ...last, end: position + rows, lastTerm: term };
    } else {
      partitions.push({
        country,
        start: position,
        end: position + rows,
        firstTerm: term,
        lastTerm: term,
        startInTerm: 0,
      });
      open = size;
    }
    position += rows;
  }
  return partitions;
}
