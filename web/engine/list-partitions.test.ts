import { expect, test } from "vitest";
import { bboxOf } from "../../data/format/geometry.ts";
import type { LocationNode } from "../../data/format/manifest.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { columnOf, onlyBatch } from "./arrow/columns.ts";
import { createJsonReader } from "./arrow/json-reader.ts";
import { BOX_MEMBERS, COMPARISONS, EVERY_ROW, type RowCondition } from "./contract/row-condition.ts";
import { openDataset } from "./dataset.ts";
import { mayHoldRows } from "./list-partitions.ts";
import { type MadeUpRow, makeDataset } from "./testing/made-up-dataset.ts";
import { hardRows } from "./testing/made-up-rows.ts";
import { type Random, randomFrom } from "./testing/random.ts";
import { countingSource, memorySource } from "./testing/sources.ts";

const made = hardRows();
const files = await makeDataset(made, { rowsPerPartition: 16, nodesPerPage: 4 });
const source = countingSource(memorySource(files));
const dataset = openDataset({ source, decode: decodeParquet });

/** Evaluates the condition for a row in the simplest way. */
function holds(condition: RowCondition, { geometry, country = "ZZ" }: MadeUpRow): boolean {
  const [xmin, ymin, xmax, ymax] = bboxOf(geometry) ?? [0, 0, 0, 0];
  if (condition.kind === "all" || condition.kind === "any") {
    const isHeld = (part: RowCondition) => holds(part, { id: "", geometry, country });
    return condition.kind === "all" ? condition.of.every(isHeld) : condition.of.some(isHeld);
  }
  if (condition.kind === "crossing") return xmin > xmax;
  const [a, b] =
    condition.kind === "country"
      ? [country, condition.value]
      : [{ xmin, xmax, ymin, ymax }[condition.member], condition.value];
  return { "=": a === b, "!=": a !== b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b }[condition.comparison];
}

function conditionFrom(random: Random, depth = 2): RowCondition {
  const kind = random.of(
    depth > 0 ? (["all", "any", "box", "box", "country"] as const) : (["box", "country"] as const),
  );
  if (kind === "all" || kind === "any") {
    const of = Array.from({ length: random.below(4) }, () => conditionFrom(random, depth - 1));
    return { kind, of };
  }
  const comparison = random.of(COMPARISONS);
  if (kind === "country") return { kind, comparison, value: random.of(["AA", "FJ", "ZZ", "GG", ""]) };
  if (random.below(6) === 0) return { kind: "crossing" };
  const member = random.of(BOX_MEMBERS);
  const rows = made.land_use ?? [];
  const [west = 0, south = 0] = bboxOf(random.of(rows).geometry) ?? [];
  const exact = member.startsWith("x") ? west : south;
  return { kind, member, comparison, value: random.of([exact, random.spread(member.startsWith("x") ? 200 : 100)]) };
}

test("every row that meets a condition is in a listed partition", async () => {
  const random = randomFrom(17);
  let [found, listedIds, all] = [0, 0, 0];
  for (let round = 0; round < 300; round++) {
    const collection = random.of(["place", "segment", "land_use"] as const);
    const condition = conditionFrom(random);
    const { partitions } = await dataset.partitions([{ collection, condition }]);
    const ids = new Set<string>();
    for (const partition of partitions) for (const id of await idsOf(partition)) ids.add(id);
    const wanted = (made[collection] ?? []).filter((row) => holds(condition, row)).map(({ id }) => id);
    expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
    found += wanted.length;
    listedIds += ids.size;
    all += made[collection]?.length ?? 0;
  }
  expect(found).toBeGreaterThan(5000);
  expect(listedIds).toBeLessThan(all * 0.75);
});

test("a box in a country reads no partition outside it, and each page once", async () => {
  const condition: RowCondition = {
    kind: "all",
    of: [
      { kind: "country", comparison: "=", value: "AA" },
      { kind: "box", member: "xmin", comparison: ">=", value: 7 },
      { kind: "box", member: "xmax", comparison: "<=", value: 8 },
    ],
  };
  const fresh = openDataset({ source, decode: decodeParquet });
  await fresh.manifest();
  source.reset();
  const { partitions } = await fresh.partitions([{ collection: "place", condition }]);
  const asked = source.requests.length;
  expect(source.requests.every(({ path }) => path.startsWith("place/_pages/"))).toBe(true);
  const everywhere = (await fresh.partitions([{ collection: "place", condition: EVERY_ROW }])).partitions;
  const near = everywhere.filter(({ node }) => node.country === "AA" && node.bbox[0] <= 8 && node.bbox[2] >= 7);
  expect(partitions).toEqual(near);
  expect(partitions.length).toBeLessThan(everywhere.length / 3);
  source.reset();
  await fresh.partitions([{ collection: "place", condition }]);
  expect(source.requests).toEqual([]);
  expect(asked).toBeGreaterThan(0);
});

test("conditions of one collection are combined, and each partition is listed once", async () => {
  const of = (value: string): RowCondition => ({ kind: "country", comparison: "=", value });
  const both = await dataset.partitions([
    { collection: "place", condition: of("AA") },
    { collection: "place", condition: { kind: "any", of: [of("AA"), of("FJ")] } },
    { collection: "segment", condition: of("ZZ") },
  ]);
  const hashes = both.partitions.map(({ node }) => node.sha256);
  expect(new Set(hashes).size).toBe(hashes.length);
  const countries = new Set(both.partitions.map(({ collection, node }) => `${collection} ${node.country}`));
  expect([...countries]).toEqual(["place AA", "place FJ", "segment ZZ"]);
  expect(Object.keys(both.stamps)).toEqual(["place", "segment"]);
});

test("a collection that the dataset lacks is refused", async () => {
  await expect(dataset.partitions([{ collection: "water", condition: EVERY_ROW }])).rejects.toThrow(
    /no collection water/,
  );
});

test("a node over all longitudes may contain a row that crosses the antimeridian", () => {
  const crossing: RowCondition = { kind: "crossing" };
  const held = (bbox: LocationNode["bbox"]) => mayHoldRows(crossing, { bbox });
  expect([held([170, 0, -170, 1]), held([-180, 0, 180, 1]), held([-180, 0, 179, 1])]).toEqual([true, true, false]);
});

async function idsOf(partition: Parameters<typeof dataset.partitionTable>[0]): Promise<string[]> {
  const batch = onlyBatch(await dataset.partitionTable(partition));
  const read = createJsonReader(columnOf(batch, "id"));
  return Array.from({ length: batch.numRows }, (_, row) => String(read(row)));
}
