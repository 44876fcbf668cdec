/**
 * `docs/benchmarks.md`: one table for each question, from the results of the last runs.
 * @module
 */
import type { Result, Results, Table } from "./results.ts";

/** The network of the tables about searches. */
const NETWORK = "50 ms, 20 Mbit/s";
const SIZES = [
  ["search-4337", "4,337"],
  ["search-1000000", "1,000,000"],
] as const;
/** A search that every table has. */
const CIRCLE = "1km dense, limit 25, page 0";
const STATES: Readonly<Record<string, string>> = {
  first: "first visit, the page included",
  cached: "new visit, files cached, the page included",
  cold: "page open, no data loaded",
  pan: "a second search 300 m further",
  warm: "the same search again",
};
const CAIRN = "cairn-scan";
const RATIO = "best peer / Cairn";

const INTRODUCTION = `# Benchmarks

With this page you can judge the size, speed and memory of Cairn next to other programs, and measure it again.

Each section names its command. A command with \`--write\` replaces the results in \`e2e/bench/results/\`, and this page is made from them
(\`npm run docs\`). The last runs were on 2 cores with 24 GB and Node 20. Bytes and requests are exact. Times depend on the machine, so
searches show a ratio: the time of the fastest other program, divided by Cairn's. More than 1 means that Cairn is faster.`;

/** Returns the page. Throws if a result or a column is missing. */
export function benchmarksPage(results: Results): string {
  const result = (name: string): Result => {
    const found = results.get(name);
    if (!found) throw new Error(`no result ${name}, expected e2e/bench/results/${name}.json`);
    return found;
  };
  const table = (name: string, at = 0): Table => {
    const found = result(name).tables[at];
    if (!found) throw new Error(`the result ${name} has no table ${at + 1}`);
    return found;
  };
  const section = (heading: string, name: string, ...parts: readonly string[]): string =>
    [`## ${heading}`, `\`${result(name).command}\``, ...parts].join("\n\n");
  const million = result("search-1000000");
  return `${[
    INTRODUCTION,
    section(
      "The pipeline",
      "pipeline",
      "How long does a build take, and how large is a dataset? The rows are synthetic. The last column is the processor time of the build, divided by that of one sorted copy of the source.",
      markdown(builds(table("pipeline"), table("pipeline", 3))),
    ),
    section(
      "Weight",
      "weight",
      "What does a dataset contain? The sample, in bytes:",
      markdown(table("weight")),
      lastLine(result("weight")),
    ),
    section(
      "Updates",
      "updates",
      "What does a new release cost if a thousandth of the rows of one file changed? A third each is renamed, moved and removed.",
      markdown(
        columnsOf(table("updates"), [
          "file",
          "rows",
          "changed",
          "tasks run",
          "files to upload",
          "bytes to upload",
          "of all",
        ]),
      ),
    ),
    section(
      "Searches",
      "search-1000000",
      `How much does a search read, and how fast is the answer? One million places, ${NETWORK}, page open, no data loaded. Cells are bytes and requests. FlatGeobuf, hyparquet and DuckDB read one file of ten columns by HTTP ranges. Cairn's records have all columns of Overture. *AU by id* lists Australia's places.`,
      markdown(searches(million, ["flatgeobuf", "hyparquet", "duckdb-file"])),
      "Names, next to an index of all names in memory:",
      markdown(searches(million, ["minisearch"], "Places by name")),
    ),
    section(
      "Repeated searches and first visits",
      "search-1000000",
      `How fast is the first search of a first visit, and how fast is the second search? The nearest 25 places of a circle of 1 km in a dense city, ${NETWORK}. Cells are bytes, requests and the ratio.`,
      markdown(states(SIZES.map(([name, label]) => [label, result(name)]))),
    ),
    section(
      "Small tables",
      "tables",
      "How fast is the first answer of a table after the script?",
      markdown(table("tables")),
    ),
    section(
      "Where another program is faster",
      "search-1000000",
      `Questions with a ratio below 1 at ${NETWORK}, page open, no data loaded:`,
      markdown(slower(SIZES.map(([name, label]) => [label, result(name)]))),
    ),
    section(
      "Growth",
      "growth",
      "Does a search cost more in a larger dataset? The nearest 25 places within 1 km. `cairn-scan` is Cairn, `duckdb-copy` is SQL over the primary copy. Cells are time, requests and KB:",
      markdown(table("growth")),
      "![Requests, kilobytes and milliseconds by rows of the dataset](growth-dataset.svg)",
      "Larger answers, circles of 50 km in twenty million places. FlatGeobuf and DuckDB need over 60 s.",
      markdown(table("growth", 1)),
      "![Requests, kilobytes and milliseconds by rows of the answer](growth-answer.svg)",
    ),
    section(
      "Words",
      "words",
      "Does the search box find what was meant? Each text is made from a record. The table has the share of texts whose record is among the first five suggestions. Cairn downloads data for each text. MiniSearch first loads an index of 16.8 MB.",
      markdown(words(table("words"))),
    ),
    section(
      "Categories",
      "meanings",
      "Is the category that a text means the first one? No list contains one of these intents. The *second set* chose the thresholds, and its author wrote the lists as well.",
      markdown(table("meanings")),
    ),
    section(
      "Interfaces",
      "interfaces",
      "Does the same question cost more through another interface? The sample, in Node, manifest loaded. Formats of `/places` read the same bytes.",
      markdown(interfaces(table("interfaces"))),
    ),
    section(
      "The page",
      "responsiveness",
      "When does a first visit show a result?",
      markdown(table("responsiveness")),
      "How long after a key or a click does the page change? The main thread is slowed down four times.",
      markdown(
        columnsOf(table("responsiveness", 1), ["keys and clicks", "median", "p75", "answer in memory, median and p75"]),
      ),
    ),
    section(
      "Moving the map",
      "panning",
      "Does the map stay smooth? A task that works for more than 50 ms fails the command.",
      markdown(table("panning")),
    ),
    section("Scrolling", "scrolling", "Do 25,000 results stay smooth?", markdown(table("scrolling"))),
    section(
      "Memory of a phone",
      "phone",
      "Does the page work on a device with 512 MiB? Five million places (`--dataset`). A control group limits the memory of the browser's renderers. *At most* also counts files in memory.",
      markdown(table("phone")),
    ),
    section(
      "Memory of `cairn serve`",
      "serve-soak",
      "Does its memory grow? 16 connections for an hour with `--cache 64`. Some callers leave or read slowly.",
      markdown(sampled(table("serve-soak"), 4)),
    ),
    section(
      "Next to a file server",
      "serve-with-caddy",
      "How does `cairn serve` compare with Caddy, which serves the same answers as files? 50 connections, medians of ten minutes.",
      markdown(medians(table("serve-with-caddy"))),
    ),
    section(
      "Clusters",
      "engines",
      "Does a cluster write the same bytes? Each run but the first loses a process when 40 % of the tasks are done.",
      markdown(table("engines")),
    ),
    section(
      "The index of a planet",
      "planet",
      "Does the index of a planet fit in memory? From row counts of a planet, 2 GiB of heap for each process:",
      result("planet")
        .text.filter((line) => line.startsWith("- "))
        .join("\n"),
    ),
  ].join("\n\n")}\n`;
}

function lastLine({ text }: Result): string {
  return text.at(-1) ?? "";
}

function markdown({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The cell of a row, by column. Throws if the table does not have the column. */
function reader({ columns }: Table): (row: readonly string[], column: string) => string {
  return (row, column) => {
    const at = columns.indexOf(column);
    if (at < 0) throw new Error(`no column ${column} in ${columns.join(", ")}`);
    return row[at] ?? "";
  };
}

function columnsOf(table: Table, columns: readonly string[]): Table {
  const cell = reader(table);
  return { columns, rows: table.rows.map((row) => columns.map((column) => cell(row, column))) };
}

function builds(built: Table, compared: Table): Table {
  const columns = ["rows", "processor s", "memory, GB", "temp, GB", "source, MB", "dataset, MB"];
  const ratio = new Map(compared.rows.map((row) => [row[0], row[2] ?? ""]));
  const { rows } = columnsOf(built, columns);
  return { columns: [...columns, "build / copy"], rows: rows.map((row) => [...row, ratio.get(row[0] ?? "") ?? "-"]) };
}

/** `848 ms, 31 / 256 KB / 4` as `256 KB in 31`; answers that were not measured as they are. Medians may be fractions. */
function cost(cell: string): string {
  const [, requests, bytes] = /, ([\d.]+) \/ ([\d,]+ KB) \/ [\d.]+$/.exec(cell) ?? [];
  return requests === undefined ? cell || "-" : `${bytes} in ${Math.round(Number(requests))}`;
}

interface Asked {
  readonly question: string;
  readonly state: string;
  readonly ratio: string;
  readonly of: (peer: string) => string;
}

/** Rows of the tables about searches, for the network of the page. */
function asked({ tables }: Result, heading?: string): Asked[] {
  return tables
    .filter((table) => table.columns.includes(RATIO) && (heading === undefined || table.heading === heading))
    .flatMap((table) => {
      const cell = reader(table);
      const rows = table.rows.filter((row) => cell(row, "network") === NETWORK);
      return rows.map((row) => ({
        question: cell(row, "question"),
        state: cell(row, "state"),
        ratio: cell(row, RATIO),
        of: (peer: string) => (table.columns.includes(peer) ? cell(row, peer) : ""),
      }));
    });
}

function searches(result: Result, peers: readonly string[], heading?: string): Table {
  const rows = asked(result, heading)
    .filter(({ state, of }) => state === "cold" && peers.some((peer) => /\d ms|over/.test(of(peer))))
    .map(({ question, ratio, of }) => [question, cost(of(CAIRN)), ...peers.map((peer) => cost(of(peer))), ratio]);
  return { columns: ["question", "Cairn", ...peers, "ratio"], rows };
}

function states(sizes: readonly (readonly [label: string, result: Result])[]): Table {
  const rows = Object.entries(STATES).map(([state, meaning]) => {
    const cells = sizes.map(([, result]) => {
      const row = asked(result).find((one) => one.question === CIRCLE && one.state === state);
      return row ? `${cost(row.of(CAIRN))}, ratio ${row.ratio}` : "-";
    });
    return [meaning, ...cells];
  });
  return { columns: ["state", ...sizes.map(([label]) => `${label} places`)], rows };
}

function slower(sizes: readonly (readonly [label: string, result: Result])[]): Table {
  const rows = sizes.flatMap(([label, result]) =>
    asked(result)
      .filter(({ state, ratio }) => state === "cold" && Number(ratio) < 1)
      .map(({ question, ratio }) => [label, question, ratio]),
  );
  return { columns: ["places", "question", "ratio"], rows };
}

function words(table: Table): Table {
  const cell = reader(table);
  const texts = [...new Set(table.rows.map((row) => cell(row, "what is typed, texts")))];
  const found = (text: string, who: string) =>
    table.rows.find((row) => cell(row, "what is typed, texts") === text && cell(row, "who") === who) ?? [];
  return {
    columns: ["texts", "Cairn", "MiniSearch", "KB of Cairn, median and 90th percentile"],
    rows: texts.map((text) => [
      text,
      cell(found(text, "Cairn"), "first five"),
      cell(found(text, "MiniSearch"), "first five"),
      cell(found(text, "Cairn"), "cold, KB"),
    ]),
  };
}

function interfaces(table: Table): Table {
  const columns = ["question", "interface", "read, KB", "requests"];
  const cell = reader(table);
  return {
    columns,
    rows: table.rows
      .filter((row) => !cell(row, "interface").includes("format="))
      .map((row) => [cell(row, "question"), cell(row, "interface"), cell(row, "read cold, KB"), cell(row, "requests")]),
  };
}

/** Every n-th row of a curve. */
function sampled(table: Table, every: number): Table {
  const { columns, rows } = columnsOf(table, ["minute", "resident MiB", "JS heap MiB", "buffers MiB"]);
  return { columns, rows: rows.filter((_, index) => index % every === every - 1) };
}

/** The median of each column for each host. */
function medians(table: Table): Table {
  const columns = ["host", "answers/s", "median ms", "resident MiB"];
  const { rows } = columnsOf(table, columns);
  const hosts = [...new Set(rows.map(([host = ""]) => host))];
  const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
  return {
    columns,
    rows: hosts.map((host) => [
      host,
      ...columns
        .slice(1)
        .map((_, at) => String(median(rows.filter((row) => row[0] === host).map((row) => Number(row[at + 1]))))),
    ]),
  };
}
