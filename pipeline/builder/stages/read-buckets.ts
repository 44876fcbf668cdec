/**
 * Reads the facts of all tasks of stage `number` or `reduce` of a collection.
 * @module
 */
import { notFinished, readRecord } from "../plan/index.ts";

interface BucketFacts {
  /** Number of segments or chunks of the bucket per country, in order. */
  readonly countries: readonly (readonly [country: string, count: number])[];
}

export interface BucketPosition {
  readonly key: string;
  /** A hash of all input of the task. */
  readonly content: string;
  /** Number of segments or chunks of the buckets before. */
  readonly before: number;
}

interface CountedBuckets<Facts> {
  /** The first segment or chunk of each country, in order. */
  readonly firsts: ReadonlyMap<string, number>;
  readonly buckets: readonly (Facts & BucketPosition)[];
}

/** Returns the facts of finished tasks, in the order of the keys. Throws if a task is not finished. */
export async function readBuckets<Facts extends BucketFacts>(
  work: string,
  keys: Iterable<string>,
): Promise<CountedBuckets<Facts>> {
  const firsts = new Map<string, number>();
  const buckets: (Facts & BucketPosition)[] = [];
  let before = 0;
  for (const key of keys) {
    const record = await readRecord<Facts>(work, key);
    if (record?.content === undefined) throw notFinished(key);
    const { facts, content } = record;
    buckets.push({ ...facts, key, content, before });
    for (const [country, count] of facts.countries) {
      if (!firsts.has(country)) firsts.set(country, before);
      before += count;
    }
  }
  return { firsts, buckets };
}
