/**
 * DuckDB-WASM 1.28.0, the last with built-in Parquet: `read_parquet` over HTTP, in a worker as documented.
 * @module
 */
import { AsyncDuckDB, VoidLogger } from "duckdb-wasm-peer";
import { type BBox, bboxIntersects } from "../../../../data/format/bbox.ts";
import { boxAround, distanceSql, type PeerRow } from "../circle.ts";
import type { CircleQuestion, CountryQuestion, NameQuestion, Peer, Question } from "../question.ts";
import { fileOf } from "./rows.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const absolute = (path: string): string => quote(new URL(path, location.href).href);

/** One large file, spatially sorted. */
export async function openDuckdbFile(path: string): Promise<Peer> {
  const rows = `SELECT * FROM read_parquet(${absolute(path)})`;
  return openDuckdb(async () => rows);
}

/** A STAC item. */
interface CatalogueItem {
  readonly bbox: BBox;
  readonly properties: { readonly country: string };
  readonly assets: { readonly data: { readonly href: string } };
}

/**
 * Reads the primary copy as third parties do: HTTP cannot list folders, so the catalogue lists the files. Reads those
 * whose boxes intersect the circle's, or those of the country.
 */
export async function openDuckdbCopy(catalogue: string): Promise<Peer> {
  const base = new URL(catalogue, location.href);
  let items: readonly CatalogueItem[] | undefined;
  return openDuckdb(async (question) => {
    items ??= ((await (await fetch(base)).json()) as { features: readonly CatalogueItem[] }).features;
    const isWanted = ({ bbox, properties }: CatalogueItem): boolean =>
      question.kind === "country" ? properties.country === question.country : bboxIntersects(bbox, boxAround(question));
    const files = items.filter(isWanted).map(({ assets }) => quote(new URL(assets.data.href, base).href));
    return `
      SELECT id, names.primary AS name, confidence, bbox.xmin AS lon, bbox.ymin AS lat,
        ',' || array_to_string(list_concat([categories.primary], coalesce(categories.alternate, [])), ',') || ',' AS categories,
        websites[1] AS website, phones[1] AS phone, addresses[1].freeform AS address, country
      FROM read_parquet([${files.join(", ")}], hive_partitioning = true)`;
  });
}

type AskedRows = Exclude<Question, NameQuestion>;

/** `rowsFor` returns SQL of rows that include the answer's. */
async function openDuckdb(rowsFor: (question: AskedRows) => Promise<string>): Promise<Peer> {
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
      const matching = `SELECT * FROM (${await rowsFor(question)}) WHERE ${where}`;
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
