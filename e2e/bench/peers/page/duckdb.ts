/**
 * DuckDB-WASM 1.28.0, the last with Parquet inside: `read_parquet` over HTTP, in a worker as it is meant to be used.
 * @module
 */
import { AsyncDuckDB, VoidLogger } from "duckdb-wasm-peer";
import { boxAround, distanceSql, type PeerRow } from "../circle.ts";
import type { CircleQuestion, CountryQuestion, Peer } from "../question.ts";
import { fileOf } from "./rows.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const absolute = (path: string): string => quote(new URL(path, location.href).href);

/** One big file, spatially sorted. */
export async function openDuckdbFile(path: string): Promise<Peer> {
  return openDuckdb(`SELECT * FROM read_parquet(${absolute(path)})`);
}

/** The primary copy as a stranger reads it: all its files, since HTTP has no list of a folder. */
export async function openDuckdbCopy(base: string, listPath: string): Promise<Peer> {
  const list = (await (await fetch(listPath)).json()) as string[];
  const files = list.map((path) => absolute(base + path)).join(", ");
  return openDuckdb(`
    SELECT id, names.primary AS name, confidence, bbox.xmin AS lon, bbox.ymin AS lat,
      ',' || array_to_string(list_concat([categories.primary], coalesce(categories.alternate, [])), ',') || ',' AS categories,
      websites[1] AS website, phones[1] AS phone, addresses[1].freeform AS address, country
    FROM read_parquet([${files}], hive_partitioning = true)`);
}

async function openDuckdb(rows: string): Promise<Peer> {
  const worker = new Worker("/duckdb/duckdb-browser-eh.worker.js");
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  await database.instantiate(new URL("/duckdb/duckdb-eh.wasm", location.href).href);
  const connection = await database.connect();
  const query = async (sql: string) => (await connection.query(sql)).toArray().map((row) => row.toJSON());
  return {
    async answer(question) {
      if (question.kind === "name") throw new Error("a Parquet file has no index of words");
      const { where, order } = question.kind === "country" ? ofCountry(question) : ofCircle(question);
      const { limit, page } = question;
      const matching = `SELECT * FROM (${rows}) WHERE ${where}`;
      const shown = `SELECT *, count(*) OVER () AS total FROM (${matching}) ORDER BY ${order} LIMIT ${limit} OFFSET ${page * limit}`;
      const found = await query(shown);
      const [counted] = found.length > 0 ? found : await query(`SELECT count(*) AS total FROM (${matching})`);
      const records = found.map(({ total, ...row }) => row as unknown as PeerRow);
      if ("format" in question) fileOf(records, question.format);
      return { total: Number(counted?.total ?? 0), ids: async () => records.map(({ id }) => id) };
    },
  };
}

function ofCountry({ country }: CountryQuestion) {
  return { where: `country = ${quote(country)}`, order: "id" };
}

function ofCircle(question: CircleQuestion) {
  const [west, south, east, north] = boxAround(question);
  const meters = distanceSql(question);
  const box = `lon BETWEEN ${west} AND ${east} AND lat BETWEEN ${south} AND ${north}`;
  const category =
    question.category === undefined ? "" : ` AND contains(categories, ${quote(`,${question.category},`)})`;
  return { where: `${box} AND ${meters} <= ${question.radiusMeters}${category}`, order: `${meters}, id` };
}
