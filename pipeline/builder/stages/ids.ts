import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { frontDecoder } from "../../../data/format/front-coding.ts";
import { ID_BLOCK_ROWS, rowPositionOf, writeSegment } from "../../../data/format/id-order.ts";
import type { SegmentNode } from "../../../data/format/manifest.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { ByteReader } from "../../../data/format/varint.ts";
import { deflate, writePack } from "../packs/index.ts";
import { type BuildPlan, type IdsTask, taskFolder } from "../plan/index.ts";
import { IDS_FILE, type LooseSegment, type NumberedBucket, readNumbering, readSegments } from "./numbered-rows.ts";
import { type Recording, readAddresses, readRecording } from "./recorded-rows.ts";
import type { FileContext } from "./row-files.ts";
import { readBucket } from "./survey.ts";

/** A segment of the run `ids` before all buckets are known. */
export type WrittenSegment = Omit<SegmentNode, "start" | "segment">;

export interface IdsFacts {
  readonly partitions: readonly WrittenSegment[];
}

/** Writes the segments of a bucket of ids, with the addresses of the records and prefixes of the ids. */
export async function ids(
  { plan, folder }: FileContext,
  { collection, survey, of, bucket: index }: IdsTask,
): Promise<IdsFacts> {
  const bucket = await readBucket(plan, survey, { run: "ids", index });
  if (!bucket) return { partitions: [] };
  const { buckets } = await readNumbering(plan, { survey, of });
  const ordinal = index - of[0];
  const numbered = buckets[ordinal];
  if (!numbered) throw new Error(`${collection}: bucket ${index} of ids has no numbers`);
  const recording = await readRecording(plan, { survey, of });
  const segments: LooseSegment[] = [];
  for await (const segment of readSegments(plan, { buckets: [numbered] })) segments.push(segment);
  const addresses = await addressesOf(plan, recording, { numbered, segments, ordinal, buckets: buckets.length });
  const reader = new ByteReader(await readFile(join(taskFolder(plan.work, numbered.key), IDS_FILE)));
  const partitions: WrittenSegment[] = [];
  let [next, start] = [0, 0];
  for (const { packs } of bucket.units) {
    const made: { readonly bytes: Uint8Array; readonly blocks: number; readonly segment: LooseSegment }[] = [];
    for (const { country, start: from, end } of packs.flat()) {
      const segment = segments[next++];
      if (segment?.country !== country || segment.rows !== end - from)
        throw new Error(`${collection}: segment ${next - 1} of bucket ${index} was numbered as another`);
      const first = firstAddressOf(recording.firstChunks.get(country) ?? 0);
      const readId = frontDecoder(reader);
      const entries = Array.from(addresses.subarray(start, start + segment.rows), (address) => ({
        id: readId(),
        address: address - first,
      }));
      start += segment.rows;
      made.push({ ...(await writeSegment(entries, deflate)), segment });
    }
    const slices = await writePack(
      { folder, collection, kind: "ids" },
      made.map(({ bytes }) => bytes),
    );
    for (const [i, slice] of slices.entries()) {
      const { segment, blocks } = made[i] as (typeof made)[number];
      partitions.push({ ...segment, blocks, ...slice });
    }
  }
  return { partitions };
}

interface BucketOfIds {
  readonly numbered: NumberedBucket;
  readonly segments: readonly LooseSegment[];
  readonly ordinal: number;
  readonly buckets: number;
}

/** Returns the address of each row of the bucket, in the order of ids. Throws if one is missing. */
async function addressesOf(
  plan: Pick<BuildPlan, "work">,
  recording: Recording,
  { numbered, segments, ordinal, buckets }: BucketOfIds,
): Promise<Float64Array> {
  const starts: number[] = [];
  let rows = 0;
  for (const segment of segments) {
    starts.push(rows);
    rows += segment.rows;
  }
  const addresses = new Float64Array(rows).fill(-1);
  for await (const { number, address } of readAddresses(plan, recording, { ordinal, count: buckets })) {
    const { segment, block, row } = rowPositionOf(number);
    addresses[(starts[segment] ?? Number.NaN) + block * ID_BLOCK_ROWS + row] = address;
  }
  const missing = addresses.indexOf(-1);
  if (missing >= 0) throw new Error(`task ${numbered.key}: row ${missing} of ${rows} has no record`);
  return addresses;
}
