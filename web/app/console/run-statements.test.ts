import { tableToIPC } from "apache-arrow";
import { beforeAll, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { knownCollection } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import {
  type Dataset,
  EVERY_ROW,
  FetchError,
  type ListedPartition,
  openDataset,
  type PartitionList,
} from "../../engine/index.ts";
import { createWasmConsole } from "../../engine/testing/databases.ts";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { hardRows } from "../../engine/testing/made-up-rows.ts";
import { type Random, randomFrom } from "../../engine/testing/random.ts";
import { memorySource } from "../../engine/testing/sources.ts";
import type { Console } from "../../hosts/browser/duckdb/console-database.ts";
import { statementBounds } from "../../hosts/browser/protocol/index.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Cost, runStatements, type StatementPorts } from "./run-statements.ts";

const made = hardRows();
const COLLECTIONS = Object.keys(made) as CollectionName[];
const files = await makeDataset(made, { rowsPerPartition: 24, nodesPerPage: 4 });
const dataset = openDataset({ source: memorySource(files), decode: decodeParquet });
const wholeList = await dataset.partitions(COLLECTIONS.map((collection) => ({ collection, condition: EVERY_ROW })));

/** Records reads, and answers for the user that they agree. */
function portsOf(console: Console, { partitions, partitionTable }: Pick<Dataset, "partitions" | "partitionTable">) {
  const asked: Cost[] = [];
  const read: ListedPartition[] = [];
  let isAgreed = true;
  const ports: StatementPorts = {
    most: statementBounds({}),
    statements: async (sql) => console.statements(sql),
    needs: async (statement) => console.needs(statement),
    list: (wanted) => partitions(wanted),
    missing: async (list) => console.missing(list, 1e9),
    async read(partition) {
      const { buffer } = tableToIPC(await partitionTable(partition), "stream").slice();
      read.push(partition);
      return buffer;
    },
    fill: async (partition, stream) => console.fill(partition, new Uint8Array(stream)),
    run: async (statement) => console.run(statement),
    async agree(cost) {
      asked.push(cost);
      return isAgreed;
    },
    onRead: () => {},
  };
  return { ports, asked, read, answer: (agreed: boolean) => (isAgreed = agreed) };
}

async function consoleOver(collections: readonly CollectionName[]): Promise<Console> {
  const console = await createWasmConsole();
  console.open(collections.map(knownCollection));
  return console;
}

let narrow: Console;
let whole: Console;
beforeAll(async () => {
  [narrow, whole] = await Promise.all([consoleOver(COLLECTIONS), consoleOver(COLLECTIONS)]);
  for (const partition of whole.missing(wholeList, 1e9)) {
    whole.fill(partition, tableToIPC(await dataset.partitionTable(partition), "stream"));
  }
}, 300_000);

function empty(console: Console, round: number): void {
  const stamps = Object.fromEntries(COLLECTIONS.map((collection) => [collection, `round ${round}`]));
  console.missing({ partitions: [], stamps }, 1e9);
}

/** All rows of the last result as CSV. */
async function answerOf(console: Console, sql: string, ports: StatementPorts): Promise<readonly string[]> {
  const ran = await runStatements(sql, ports);
  if (ran.kind !== "result") throw new Error(`a result was expected, got ${ran.kind}`);
  const [header = "", ...rows] = new TextDecoder().decode(console.csv()).split("\r\n");
  expect(rows).toHaveLength(ran.result.totalRows + 1);
  return [header, ...rows.sort()];
}

const COUNTRIES = ["AA", "FJ", "ZZ", "QQ"];

function positionFrom(random: Random): readonly [number, number] {
  const rows = made[random.of(COLLECTIONS)] ?? [];
  const [west = 0, south = 0] = bboxOf(random.of(rows).geometry) ?? [];
  return [random.of([west, west + random.spread(3)]), random.of([south, south + random.spread(3)])];
}

function conditionFrom(random: Random, t: string, depth = 2): string {
  const [lon, lat] = positionFrom(random);
  const inner = () => conditionFrom(random, t, depth - 1);
  const kinds = [
    () => `${t}.bbox.xmin ${random.of(["<", "<=", ">", ">=", "=", "<>"])} ${lon}`,
    () => `${lat} ${random.of(["<", ">="])} ${t}.bbox.ymax`,
    () => `${t}.bbox['xmax'] BETWEEN ${lon - 1} AND ${lon + 1}`,
    () => `struct_extract(${t}.bbox, 'ymin') > ${lat}`,
    () => `${t}.country = '${random.of(COUNTRIES)}'`,
    () => `${t}.country IN ('${random.of(COUNTRIES)}', '${random.of(COUNTRIES)}')`,
    () => `${t}.country LIKE '${random.of(["A%", "%J", "_Z"])}'`,
    () => `within_circle(${t}.bbox, ${lon}, ${lat}, ${Math.round(random.magnitude(100, 3e6))})`,
    () => `${t}.id <> E'x\\nbbox.xmin>3\\ny'`,
    () => `${t}.bbox.xmin > ${t}.bbox.xmax`,
    () => `lower(${t}.country) < 'b'`,
  ];
  if (depth === 0) return random.of(kinds)();
  return random.of([
    ...kinds,
    () => `(${inner()} AND ${inner()})`,
    () => `(${inner()} AND ${inner()})`,
    () => `(${inner()} OR ${inner()})`,
    () => `NOT (${inner()})`,
  ])();
}

/** One or several statements; the last returns rows. */
function statementFrom(random: Random, round: number): string {
  const [a, b] = [random.of(COLLECTIONS), random.of(COLLECTIONS)];
  const on = (t: string) => conditionFrom(random, t);
  const ids = (table: string, t: string) => `SELECT ${t}.id, ${t}.country FROM ${table} ${t} WHERE ${on(t)}`;
  return random.of([
    () => ids(a, "t"),
    () => ids(a, "t"),
    () => `SELECT count(*), min(id), max(bbox.xmin) FROM ${a} t WHERE ${on("t")}`,
    () => `SELECT country, count(*) FROM ${a} t WHERE ${on("t")} GROUP BY ALL HAVING count(*) > 1`,
    () => `${ids(a, "t")} ORDER BY id LIMIT 5`,
    () => `SELECT t.id, u.id FROM ${a} t JOIN ${b} u ON t.country = u.country AND ${on("u")} WHERE ${on("t")}`,
    () => `SELECT t.id, u.id FROM ${a} t LEFT JOIN ${b} u ON t.id = u.id AND ${on("u")} WHERE ${on("t")}`,
    () => `SELECT id FROM ${a} t WHERE ${on("t")} AND country IN (SELECT u.country FROM ${b} u WHERE ${on("u")})`,
    () => `SELECT id FROM ${a} t WHERE NOT EXISTS (SELECT 1 FROM ${b} u WHERE u.country = t.country AND ${on("u")})`,
    () =>
      `SELECT id, (SELECT count(*) FROM ${b} u WHERE u.country = t.country AND ${on("u")}) FROM ${a} t WHERE ${on("t")}`,
    () => `${ids(a, "t")} UNION ALL ${ids(b, "u")}`,
    () => `${ids(a, "t")} EXCEPT ${ids(a, "u")}`,
    () => `WITH m AS MATERIALIZED (${ids(a, "t")}) SELECT * FROM m WHERE country > 'B'`,
    () => `SELECT country FROM (SELECT id AS country, bbox FROM ${a}) t WHERE country = 'x' OR t.bbox.xmin > 100`,
    () => `CREATE OR REPLACE VIEW v${round} AS SELECT * FROM ${a}; SELECT id FROM v${round} t WHERE ${on("t")}`,
    () =>
      `CREATE TABLE t${round} AS SELECT * FROM ${a} t WHERE ${on("t")}; SELECT id FROM t${round} UNION ${ids(b, "u").replace(", u.country", "")}`,
    () => `BEGIN; ${ids(a, "t")}; ${ids(b, "t")}; COMMIT; ${ids(a, "t")}`,
    () => `PREPARE s${round} AS SELECT id FROM ${a} t WHERE t.country = ? AND ${on("t")}; EXECUTE s${round}('AA')`,
    () => `SET VARIABLE c = 'FJ'; SELECT id FROM ${a} WHERE country = getvariable('c')`,
    () => `SELECT id FROM query_table('${a}') t WHERE ${on("t")}`,
    () => `SELECT id, row_number() OVER (PARTITION BY country ORDER BY id) FROM ${a} t WHERE ${on("t")}`,
  ])();
}

const ROUNDS = 50;

test("random statements return the same rows as over complete tables", async () => {
  const random = randomFrom(20261125);
  const { ports, read } = portsOf(narrow, dataset);
  const { ports: wholePorts, read: readWhole } = portsOf(whole, dataset);
  let rows = 0;
  for (let round = 0; round < ROUNDS; round++) {
    empty(narrow, round);
    const sql = statementFrom(random, round);
    const expected = await answerOf(whole, sql, wholePorts);
    expect(await answerOf(narrow, sql, ports), sql).toEqual(expected);
    rows += expected.length;
  }
  expect(rows).toBeGreaterThan(ROUNDS * 10);
  expect(readWhole).toEqual([]);
  expect(read.length).toBeLessThan(wholeList.partitions.length * ROUNDS * 0.75);
}, 300_000);

test("a box in a country reads exactly the partitions that an oracle names", async () => {
  const random = randomFrom(6);
  let all = 0;
  for (let round = 0; round < 40; round++) {
    empty(narrow, 1000 + round);
    const collection = random.of(COLLECTIONS);
    const country = random.of(COUNTRIES);
    const [lon, lat] = positionFrom(random);
    const [west, south, east, north] = [lon - 1, lat - 1, lon + 1, lat + 1];
    const { ports, read } = portsOf(narrow, dataset);
    await runStatements(
      `SELECT count(*) FROM ${collection} WHERE country = '${country}' AND bbox.xmin <= ${east} AND bbox.xmax >= ${west}
       AND bbox.ymin <= ${north} AND bbox.ymax >= ${south}`,
      ports,
    );
    const oracle = wholeList.partitions.filter(({ collection: of, node }) => {
      const [w, s, e, n] = node.bbox;
      const isWide = w > e || (w <= -180 && e >= 180);
      const isBeside = isWide ? east >= -180 && west <= 180 : w <= east && e >= west;
      return of === collection && node.country === country && isBeside && s <= north && n >= south;
    });
    const hashes = (list: readonly ListedPartition[]) => list.map(({ node }) => node.sha256).sort();
    expect(hashes(read)).toEqual(hashes(oracle));
    all += read.length;
  }
  expect(all).toBeGreaterThan(20);
}, 300_000);

test("a partition is read once for all statements", async () => {
  empty(narrow, 2000);
  const { ports, read } = portsOf(narrow, dataset);
  const sql =
    "SELECT count(*) FROM place WHERE country = 'AA'; SELECT count(*) FROM place WHERE country IN ('AA', 'FJ')";
  await runStatements(sql, ports);
  const hashes = read.map(({ node }) => node.sha256);
  expect(new Set(hashes).size).toBe(hashes.length);
  const ran = await runStatements(sql, ports);
  expect(read).toHaveLength(hashes.length);
  expect(ran).toMatchObject({ kind: "result", read: { partitions: 0 } });
});

test("an empty text is no statement", async () => {
  const { ports } = portsOf(narrow, dataset);
  expect(await runStatements(" -- nothing\n;", ports)).toEqual({ kind: "nothing" });
});

const heavier = (factor: { readonly bytes: number; readonly rows: number }) => ({
  partitions: async (...asked: Parameters<Dataset["partitions"]>): Promise<PartitionList> => {
    const list = await dataset.partitions(...asked);
    const partitions = list.partitions.map(({ collection, node }) => ({
      collection,
      node: { ...node, bytes: node.bytes * factor.bytes, rows: node.rows * factor.rows },
    }));
    return { ...list, partitions };
  },
  partitionTable: dataset.partitionTable,
});

function bytesOfPlaces(): number {
  const places = wholeList.partitions.filter(({ collection }) => collection === "place");
  return places.reduce((sum, { node }) => sum + node.bytes, 0);
}

test("above the limit the user is asked, and nothing is read if they decline", async () => {
  const placeBytes = bytesOfPlaces();
  const factor = Math.ceil(20_000_000 / placeBytes);
  empty(narrow, 3000);
  const { ports, asked, read, answer } = portsOf(narrow, heavier({ bytes: factor, rows: 1 }));
  const sql = "SELECT count(*) FROM place";
  answer(false);
  expect(await runStatements(sql, ports)).toEqual({ kind: "declined" });
  expect(read).toEqual([]);
  answer(true);
  const ran = await runStatements(sql, ports);
  const places = made.place?.length ?? 0;
  expect(ran).toMatchObject({ kind: "result", result: { rows: [[String(places)]] } });
  const cost = { collections: ["place"], rows: places, bytes: placeBytes * factor };
  expect(asked).toMatchObject([cost, cost]);
  await runStatements(sql, ports);
  expect(asked).toHaveLength(2);
});

test.each([
  ["bytes", { bytes: 1e6, rows: 1 }],
  ["rows", { bytes: 1, rows: 1e6 }],
])("too many %s are refused, with the cost", async (_, factor) => {
  const { ports, asked, read } = portsOf(narrow, heavier(factor));
  const ran = await runStatements("SELECT * FROM place, segment", ports);
  expect(ran).toMatchObject({ kind: "tooMuch", cost: { collections: ["place", "segment"] } });
  expect([asked, read]).toEqual([[], []]);
});

test("a small device refuses before reading what a large one reads", async () => {
  const small = statementBounds({ deviceMemory: 2 }).bytes;
  const { ports, read } = portsOf(narrow, heavier({ bytes: Math.ceil((1.1 * small) / bytesOfPlaces()), rows: 1 }));
  const sql = "SELECT count(*) FROM place";
  const ran = await runStatements(sql, { ...ports, most: statementBounds({ deviceMemory: 2 }) });
  expect([ran.kind, read]).toEqual(["tooMuch", []]);
  expect((await runStatements(sql, ports)).kind).toBe("result");
});

/** The dataset on a device that goes offline after this number of partitions. */
function offlineAfter(partitions: number, hasIndex = true) {
  let read = 0;
  const unanswered = (path: string) =>
    new FetchError(`${path} cannot be fetched`, { path, cause: new TypeError("no network") });
  return {
    partitions: (...asked: Parameters<Dataset["partitions"]>) =>
      hasIndex ? dataset.partitions(...asked) : Promise.reject(unanswered("place/_pages/a.pack")),
    partitionTable: (...asked: Parameters<Dataset["partitionTable"]>) =>
      read++ < partitions ? dataset.partitionTable(...asked) : Promise.reject(unanswered("place/b.parquet")),
  };
}

test("offline a statement reports how many partitions it lacks, and returns no incomplete result", async () => {
  empty(narrow, 4000);
  const sql = "SELECT count(*) FROM place WHERE country = 'AA'";
  const needed = (await dataset.partitions(narrow.needs(sql))).partitions.length;
  const { ports } = portsOf(narrow, offlineAfter(2));
  expect(await runStatements(sql, ports)).toEqual({
    kind: "missing",
    collections: ["place"],
    partitions: needed - 2,
  });
  // the loaded ones are kept for the next try
  const { ports: again, read } = portsOf(narrow, dataset);
  const expected = await answerOf(whole, sql, portsOf(whole, dataset).ports);
  expect(await answerOf(narrow, sql, again)).toEqual(expected);
  expect(read).toHaveLength(needed - 2);
});

test("without the index it reports that", async () => {
  const { ports } = portsOf(narrow, offlineAfter(0, false));
  expect(await runStatements("SELECT count(*) FROM segment", ports)).toEqual({
    kind: "missing",
    collections: ["segment"],
  });
});

test("a failure other than the network is an error", async () => {
  empty(narrow, 5000);
  const damaged = { ...dataset, partitionTable: () => Promise.reject(new FetchError("damaged", { path: "a" })) };
  const { ports } = portsOf(narrow, damaged);
  await expect(runStatements("SELECT count(*) FROM place", ports)).rejects.toThrow("damaged");
});
