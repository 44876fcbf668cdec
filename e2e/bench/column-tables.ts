/**
 * Checks column tables against SQL over synthetic sources, and counts what an export reads: rows of categories in
 * countries of Europe, with names, addresses and websites. The command ends with status 1 if a row differs. From 20
 * million places on it also does so for more than 1.3 times the bytes of the columns, or one request per megabyte.
 *
 * npm run bench:column-tables -- [--rows 1000000] [--folder <new folder>] [--source <folder> --dataset <folder>]
 * @module
 */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { openTableFile } from "../../data/parquet/index.ts";
import { type Database, openDatabase, quoteLiteral } from "../../pipeline/base/database/index.ts";
import { buildDataset, parseColumnTables } from "../../pipeline/builder/dataset/index.ts";
import { createApi } from "../../web/api/index.ts";
import { openDataset, tablePlanner } from "../../web/engine/index.ts";
import { countingSource } from "../../web/engine/testing/sources.ts";
import { joinRanges } from "../../web/hosts/http/join-ranges.ts";
import { openNodeDataset, openSource } from "../../web/hosts/node/open.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { readOptions } from "../support/options.ts";
import { peakBytes } from "./soak/own-memory.ts";
import { synthesise } from "./synth/synthesise.ts";

/** The goals of large datasets. In smaller ones a country's rows share row groups with others, and footers count more. */
const LARGE_ROWS = 20_000_000;
const MOST_SHARE = 1.3;
const MEGABYTE = 1e6;

const EUROPE =
  "AD AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM UA VA".split(
    " ",
  );
const COLUMNS = ["names", "addresses", "websites"];

interface Question {
  readonly categories: readonly string[];
  readonly countries: readonly string[];
  readonly minConfidence?: number;
}

/** What one process read and used for an export. */
interface Measured {
  /** Without the manifest. */
  readonly bytes: number;
  readonly requests: number;
  /** Ranges with rows. */
  readonly rowBytes: number;
  readonly rowRequests: number;
  /** Ranges with rows before the first byte of the answer after the header. */
  readonly earlyRequests: number;
  readonly peakBytes: number;
  readonly processorMs: number;
}

const { values, refuse } = readOptions({
  usage:
    "npm run bench:column-tables -- [--rows 1000000] [--folder <new folder>] [--source <folder> --dataset <folder>]",
  options: {
    rows: { type: "string", default: "1000000" },
    folder: { type: "string" },
    source: { type: "string" },
    dataset: { type: "string" },
    // for the process of one export
    ask: { type: "string" },
    out: { type: "string" },
  },
});

function addressOf({ categories, countries, minConfidence }: Question): string {
  const query = new URLSearchParams({
    country: countries.join(","),
    categories: categories.join(","),
    includes: COLUMNS.join(","),
    format: "geoparquet",
    ...(minConfidence === undefined ? {} : { min_confidence: String(minConfidence) }),
  });
  return `http://localhost/export/places?${query}`;
}

/** Streams the answer of the REST interface to a file. */
async function measure(folder: string, address: string, out: string): Promise<Measured> {
  const counted = countingSource(openSource(folder));
  const dataset = openDataset({
    source: joinRanges(counted),
    decode: decodeParquet,
    planTable: tablePlanner(openTableFile),
  });
  const { collections } = await dataset.manifest();
  if (!collections.place?.table) throw new Error(`${folder} has no column table of places`);
  const footers = new Set<string>();
  counted.reset();
  const response = await createApi({ dataset })(new Request(address));
  if (!response.body || response.status !== 200) throw new Error(`${address}: status ${response.status}`);
  let earlyRequests: number | undefined;
  const ofRows = () => {
    footers.clear();
    // the first range of a file is its footer
    return counted.requests.filter(({ path }) => {
      if (!path.startsWith("tables/")) return false;
      if (footers.has(path)) return true;
      footers.add(path);
      return false;
    });
  };
  const reader = response.body.getReader();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      earlyRequests ??= ofRows().length;
      yield next.value;
    }
  }
  await pipeline(chunks, createWriteStream(out));
  const { user, system } = process.cpuUsage();
  const sum = (ranges: readonly { readonly bytes: number }[]) => ranges.reduce((all, { bytes }) => all + bytes, 0);
  return {
    bytes: sum(counted.requests),
    requests: counted.requests.length,
    rowBytes: sum(ofRows()),
    rowRequests: ofRows().length,
    earlyRequests: earlyRequests ?? 0,
    peakBytes: peakBytes(process.pid),
    processorMs: (user + system) / 1000,
  };
}

/** Returns faults: rows that differ between the file and SQL over the sources, and a wrong order. */
async function faultsOf(
  database: Database,
  question: Question,
  out: string,
): Promise<{ rows: number; faults: string[] }> {
  const file = `read_parquet(${quoteLiteral(out)}, file_row_number = true)`;
  const { countries, categories, minConfidence = 0 } = question;
  const isWanted = categories.map((value) => `list_contains(every, ${quoteLiteral(value)})`).join(" OR ");
  // objects of an answer have no members without values
  const found = `SELECT id, geometry::BLOB AS geometry, ("names"::JSON) ->> '$.primary' AS name, (addresses::JSON) ->> '$[0].freeform' AS street,
    (addresses::JSON) ->> '$[0].locality' AS town, websites FROM ${file}`;
  const expected = `SELECT id, geometry::BLOB, "names"."primary", addresses[1].freeform, addresses[1].locality, websites FROM wanted
    WHERE country IN (${countries.map(quoteLiteral).join(", ")}) AND (${isWanted}) AND confidence >= ${minConfidence}`;
  const [counts] = await database.rows<{ rows: number; more: number; fewer: number; unordered: number }>(`
    SELECT (SELECT count(*) FROM ${file})::INTEGER AS "rows",
      (SELECT count(*) FROM (${found} EXCEPT ALL ${expected}))::INTEGER AS more,
      (SELECT count(*) FROM (${expected} EXCEPT ALL ${found}))::INTEGER AS fewer,
      (SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY file_row_number) AS before FROM ${file}) WHERE before >= id)::INTEGER AS unordered`);
  if (!counts) throw new Error("no counts");
  const { rows, more, fewer, unordered } = counts;
  const faults = [
    ...(more > 0 ? [`${more} rows that SQL does not find`] : []),
    ...(fewer > 0 ? [`${fewer} rows are missing or differ`] : []),
    ...(unordered > 0 ? [`${unordered} rows are not in the order of ids`] : []),
  ];
  return { rows, faults };
}

/** The bytes of a Parquet file with the wanted rows and columns only. */
async function leastBytes(database: Database, out: string): Promise<number> {
  const least = `${out}.least`;
  await database.run(`COPY (
    SELECT id, wanted.geometry, wanted."names", wanted.addresses, wanted.websites FROM wanted SEMI JOIN read_parquet(${quoteLiteral(out)}) USING (id) ORDER BY country, id
  ) TO ${quoteLiteral(least)} (FORMAT parquet, COMPRESSION zstd)`);
  return (await stat(least)).size;
}

async function run(folder: string): Promise<void> {
  const rows = Number(values.rows);
  if (!Number.isSafeInteger(rows) || rows < 1)
    throw refuse(`--rows has ${values.rows}, expected a whole number from 1`);
  const source = values.source ?? join(folder, "source");
  const dataset = values.dataset ?? join(folder, "dataset");
  if (!values.source) await synthesise({ out: source, seed: 1, rows: { places: rows } });
  if (!values.dataset)
    await buildDataset({
      ...{ sources: [source], out: dataset, release: "1", level: "fast" },
      columnTables: parseColumnTables("place"),
    });
  const { collections } = await openNodeDataset(dataset).manifest();
  const known = collections.place?.countries ?? {};
  const countries = EUROPE.filter((code) => known[code] !== undefined);
  const [most = ""] = [...countries].sort((a, b) => (known[b] ?? 0) - (known[a] ?? 0));
  const questions: readonly Question[] = [
    { categories: ["cafe"], countries },
    { categories: ["restaurant"], countries },
    { categories: ["hotel"], countries: [most] },
    { categories: ["cafe", "coffee_shop", "bar"], countries },
    { categories: ["restaurant"], countries, minConfidence: 0.8 },
  ];
  const database = await openDatabase({ folder });
  // the country is located, so it comes from the primary copy; a build fills missing categories from the taxonomy
  await database.run(`CREATE TABLE wanted AS
    SELECT id, geometry, "names", addresses, websites, confidence, country,
      CASE WHEN categories."primary" IS NULL AND categories.alternate IS NULL
        THEN [coalesce(taxonomy."primary", basic_category)] || coalesce(taxonomy.alternates, [])
        ELSE [categories."primary"] || coalesce(categories.alternate, []) END AS every
    FROM read_parquet(${quoteLiteral(`${source}/*/*/*.parquet`)}) JOIN (
      SELECT id, country FROM read_parquet(${quoteLiteral(`${dataset}/place/country=*/*/*.parquet`)}, hive_partitioning = true, hive_types = {'country': VARCHAR})
    ) USING (id) WHERE country IN (${countries.map(quoteLiteral).join(", ")})`);
  console.log(
    "| places | rows | columns, MB | read, MB | of them rows | share | requests | of them rows | before the first bytes | peak memory, MB | processor, s |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
  );
  const faults: string[] = [];
  for (const [index, question] of questions.entries()) {
    const out = join(folder, `${index}.parquet`);
    const measured = await inProcess(dataset, addressOf(question), out);
    const name = `${question.categories.join(", ")} of ${question.countries.length} countries${question.minConfidence ? `, confidence from ${question.minConfidence}` : ""}`;
    const checked = await faultsOf(database, question, out);
    faults.push(...checked.faults.map((fault) => `${name}: ${fault}`));
    const least = await leastBytes(database, out);
    const share = measured.rowBytes / least;
    if (Object.values(known).reduce((sum, count) => sum + count, 0) >= LARGE_ROWS && !question.minConfidence) {
      if (share > MOST_SHARE) faults.push(`${name}: ${share.toFixed(2)} times the columns, expected ${MOST_SHARE}`);
      const allowed = Math.ceil(measured.rowBytes / MEGABYTE);
      if (measured.rowRequests > allowed) faults.push(`${name}: ${measured.rowRequests} requests, expected ${allowed}`);
    }
    const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(2);
    const cells = [
      ...[name, checked.rows, megabytes(least), megabytes(measured.bytes), megabytes(measured.rowBytes)],
      ...[share.toFixed(2), measured.requests, measured.rowRequests, measured.earlyRequests],
      ...[megabytes(measured.peakBytes), (measured.processorMs / 1000).toFixed(1)],
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** In a process of its own, so that its memory is that of one export. */
async function inProcess(dataset: string, address: string, out: string): Promise<Measured> {
  const args = [...process.execArgv, import.meta.filename, "--dataset", dataset, "--ask", address, "--out", out];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

if (values.ask && values.out && values.dataset) {
  console.log(JSON.stringify(await measure(values.dataset, values.ask, values.out)));
} else {
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "cairn-tables-")));
  await mkdir(folder, { recursive: true });
  try {
    await run(folder);
  } finally {
    if (!values.folder) await rm(folder, { recursive: true, force: true });
  }
}
