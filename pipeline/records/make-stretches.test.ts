import { expect, test } from "vitest";
import {
  BLOCK_BYTES,
  groupBytesOf,
  MAX_GROUP_ROWS,
  openGroup,
  readDirectory,
  STRETCH_BLOCKS,
} from "../../data/format/records.ts";
import { makeDictionary } from "./dictionary.ts";
import { fitGroups } from "./fit-groups.ts";
import { type MadeStretch, makeStretches, type RowRecord } from "./make-stretches.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reproducible pseudo-random hexadecimal digits. */
function digits(seed: number, length: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state % 16).toString(16);
  }).join("");
}

function row(place: number, more = ""): RowRecord {
  const id = String(place).padStart(8, "0");
  const name = `${["Blue", "Old", "Grand"][place % 3]} ${digits(place, 8)}`;
  const json = utf8(JSON.stringify({ id, names: { primary: name }, note: digits(place, 150), more }));
  return { id, json, geometry: utf8(digits(place, 12)), bbox: [place % 90, 1, (place % 90) + 1, 2] };
}

async function stretchesOf(rows: readonly RowRecord[]): Promise<MadeStretch[]> {
  const made: MadeStretch[] = [];
  for await (const stretch of makeStretches(rows, dictionaryOf(rows))) made.push(stretch);
  return made;
}

const dictionaryOf = (rows: readonly RowRecord[]) => makeDictionary(rows.slice(0, 20).map(({ json }) => json));

/** Rows of a segment by number, as a reader finds them. */
async function readStretch({ bytes, blocks }: MadeStretch, dictionary: Uint8Array) {
  const directory = await readDirectory(bytes.subarray(blocks * BLOCK_BYTES));
  const found = new Map<number, string>();
  for (const block of directory.blocks) {
    const start = block * BLOCK_BYTES;
    const size = groupBytesOf(bytes.subarray(start, start + BLOCK_BYTES));
    for (const [place, { json }] of (
      await openGroup(bytes.subarray(start, start + size), block, dictionary)
    ).entries()) {
      found.set(block * MAX_GROUP_ROWS + place, (JSON.parse(new TextDecoder().decode(json)) as { id: string }).id);
    }
  }
  return found;
}

test("every row is found by its number, in segments that are as long as allowed", async () => {
  const rows = Array.from({ length: 12_000 }, (_, place) => row(place));
  const stretches = await stretchesOf(rows);
  expect(stretches.length).toBeGreaterThan(1);
  const ids: string[] = [];
  for (const stretch of stretches) {
    expect(stretch.blocks).toBeLessThanOrEqual(STRETCH_BLOCKS);
    const found = await readStretch(stretch, dictionaryOf(rows));
    expect([...found.keys()]).toEqual(stretch.numbers);
    expect([...found.values()]).toEqual(rows.slice(ids.length, ids.length + stretch.rows).map(({ id }) => id));
    expect([stretch.first_id, stretch.last_id]).toEqual([
      rows[ids.length]?.id,
      rows[ids.length + stretch.rows - 1]?.id,
    ]);
    ids.push(...found.values());
  }
  expect(stretches[0]?.blocks).toBe(STRETCH_BLOCKS);
  expect(ids).toEqual(rows.map(({ id }) => id));
});

test("blocks are 90 % full, and rows are compressed few times", () => {
  const rows = Array.from({ length: 3000 }, (_, place) => row(place));
  const groups = [...fitGroups(rows, dictionaryOf(rows))];
  const used = groups.reduce((sum, { content }) => sum + content.length, 0);
  expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(rows.length);
  expect(groups.every(({ blocks }) => blocks === 1)).toBe(true);
  expect(used / (groups.length * BLOCK_BYTES)).toBeGreaterThan(0.9);
});

test("a segment does not depend on the rows after it", async () => {
  const rows = Array.from({ length: 12_000 }, (_, place) => row(place));
  const [first] = await stretchesOf(rows);
  const [alone] = await stretchesOf(rows.slice(0, first?.rows));
  expect(Buffer.compare(alone?.bytes ?? new Uint8Array(), first?.bytes ?? new Uint8Array())).toBe(0);
});

test("a row that needs several blocks has a group of its own, and a segment if it needs too many", async () => {
  const rows = [row(0), row(1, digits(1, 9000)), row(2), row(3, digits(3, 2_500_000)), row(4)];
  const stretches = await stretchesOf(rows);
  expect(stretches.map((stretch) => stretch.rows)).toEqual([3, 1, 1]);
  expect(stretches[1]?.blocks).toBeGreaterThan(STRETCH_BLOCKS);
  const found = await Promise.all(stretches.map((stretch) => readStretch(stretch, dictionaryOf(rows))));
  expect(found.flatMap((stretch) => [...stretch.values()])).toEqual(rows.map(({ id }) => id));
  expect(stretches[0]?.numbers).toEqual([0, MAX_GROUP_ROWS, expect.any(Number)]);
});
