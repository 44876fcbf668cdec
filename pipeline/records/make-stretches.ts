/** Makes segments: blocks of consecutive rows of a country, with a directory. @module */
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import {
  MAX_GROUP_ROWS,
  STRETCH_BLOCKS,
  type StoredRecord,
  sealGroup,
  writeDirectory,
} from "../../data/format/records.ts";
import { deflate } from "../packs/index.ts";
import { type FittedGroup, fitGroups } from "./fit-groups.ts";

export interface RowRecord extends StoredRecord {
  readonly id: string;
  readonly bbox: BBox;
}

export interface MadeStretch {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly blocks: number;
  readonly bbox: BBox;
  readonly first_id: string;
  readonly last_id: string;
  /** Number of each row, relative to the segment's first. */
  readonly numbers: readonly number[];
}

/** Yields the segments of rows; most calls yield one. */
export async function* makeStretches(rows: readonly RowRecord[], dictionary: Uint8Array): AsyncGenerator<MadeStretch> {
  let groups: FittedGroup[] = [];
  let [start, blocks] = [0, 0];
  for (const group of fitGroups(rows, dictionary)) {
    if (groups.length > 0 && blocks + group.blocks > STRETCH_BLOCKS) {
      const stretch = await makeStretch(rows, start, groups);
      yield stretch;
      start += stretch.rows;
      [groups, blocks] = [[], 0];
    }
    groups.push(group);
    blocks += group.blocks;
  }
  if (groups.length > 0) yield makeStretch(rows, start, groups);
}

async function makeStretch(
  all: readonly RowRecord[],
  start: number,
  groups: readonly FittedGroup[],
): Promise<MadeStretch> {
  const firsts: { readonly row: number; readonly block: number }[] = [];
  const numbers: number[] = [];
  let block = 0;
  for (const group of groups) {
    firsts.push({ row: start + numbers.length, block });
    for (let place = 0; place < group.rows; place++) numbers.push(block * MAX_GROUP_ROWS + place);
    block += group.blocks;
  }
  const sealed = await Promise.all(groups.map(({ content }, index) => sealGroup(content, firsts[index]?.block ?? 0)));
  const directory = await writeDirectory(
    {
      blocks: firsts.map((first) => first.block),
      rows: groups.map((group) => group.rows),
      ids: firsts.map(({ row }) => all[row]?.id ?? ""),
    },
    deflate,
  );
  const rows = all.slice(start, start + numbers.length);
  return {
    bytes: Buffer.concat([...sealed, directory]),
    rows: rows.length,
    blocks: block,
    bbox: unionOfBoxes(rows.map(({ bbox }) => bbox)),
    first_id: rows[0]?.id ?? "",
    last_id: rows.at(-1)?.id ?? "",
    numbers,
  };
}

/** The smallest box around boxes that do not cross the antimeridian. Fast if they are close together. */
function unionOfBoxes(boxes: readonly BBox[]): BBox {
  let [west, south, east, north] = boxes[0] ?? [0, 0, 0, 0];
  for (const box of boxes) {
    if (box[0] < west) west = box[0];
    if (box[1] < south) south = box[1];
    if (box[2] > east) east = box[2];
    if (box[3] > north) north = box[3];
  }
  return east - west <= 180 ? [west, south, east, north] : bboxUnion(boxes);
}
