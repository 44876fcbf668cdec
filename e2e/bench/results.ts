/**
 * Results of the last run of each benchmark, as JSON in `e2e/bench/results`. `docs/benchmarks.md` is made from them.
 * @module
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchmarksPage } from "./page.ts";

export const BENCHMARKS = "docs/benchmarks.md";
const FOLDER = "e2e/bench/results";

/** A table of a report, with the heading above it. */
export interface Table {
  readonly heading?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Result {
  /** The command that measures it. */
  readonly command: string;
  /** Conditions and summaries: the lines of the report outside of tables. */
  readonly text: readonly string[];
  readonly tables: readonly Table[];
}

/** Results by name. */
export type Results = ReadonlyMap<string, Result>;

/** Keeps a report in Markdown as the last result, and writes the page again. */
export async function writeResult(
  { name, command }: { readonly name: string; readonly command: string },
  report: string,
): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(parseReport(command, report), null, 1)}\n`);
  await writeFile(BENCHMARKS, benchmarksPage(await readResults()));
}

/** Reads the last results. */
export async function readResults(): Promise<Results> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".json")).sort();
  const read = names.map(async (name) => {
    const result = JSON.parse(await readFile(join(FOLDER, name), "utf8")) as Result;
    return [name.replace(".json", ""), result] as const;
  });
  return new Map(await Promise.all(read));
}

/** Splits a report into tables and other lines. */
export function parseReport(command: string, report: string): Result {
  const text: string[] = [];
  const tables: { heading?: string; columns: string[]; rows: string[][] }[] = [];
  let heading: string | undefined;
  let table: (typeof tables)[number] | undefined;
  for (const line of report.split("\n")) {
    if (!line.startsWith("|")) {
      table = undefined;
      if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
      if (line.trim() !== "") text.push(line);
      continue;
    }
    const cells = line
      .replace(/^\| ?| ?\|$/g, "")
      .split(/ ?(?<!\\)\| ?/)
      .map((cell) => cell.trim());
    if (!table) {
      table = { ...(heading === undefined ? {} : { heading }), columns: cells, rows: [] };
      tables.push(table);
    } else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.rows.push(cells);
  }
  return { command, text, tables };
}
