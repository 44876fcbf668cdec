/**
 * Inputs of builds, and what DuckDB makes of them. Each input is built once, for real. The work that needs DuckDB is recorded by
 * the content hash of the task, or its key: simulated builds write the recorded files instead.
 * @module
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exists, filesBelow } from "../../../pipeline/base/disk/files.ts";
import { type Change, loadScript, type Script } from "../program.ts";
import type * as program from "./builder-program.ts";
import { PROCESS_GLOBALS } from "./machines.ts";

export type Builder = typeof program;

export interface Recording {
  /** By path in the folder of the task. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** As JSON; undefined without one. */
  readonly result: string | undefined;
}

export interface Input {
  readonly name: string;
  /** Arguments of the build. */
  readonly sources: readonly string[];
  /** Every file of the dataset by its path. */
  readonly dataset: ReadonlyMap<string, Buffer>;
}

export interface Recordings {
  readonly inputs: readonly Input[];
  /** Files of the sources by their path. */
  readonly sources: ReadonlyMap<string, Buffer>;
  readonly made: ReadonlyMap<string, Recording>;
}

/** Replaces the folder of a task in its recorded result. */
export const FOLDER = "<folder>";

/** Content hashes of tasks by their records, which do not change. */
const contents = new WeakMap<Buffer, { readonly content?: string }>();

/** Returns the content hash in the record of a task. Undefined for a damaged record. */
export function contentOf(record: Buffer): string | undefined {
  const found = contents.get(record) ?? parsed(record);
  contents.set(record, found);
  return found.content;
}

function parsed(record: Buffer): { readonly content?: string } {
  try {
    return JSON.parse(record.toString());
  } catch {
    return {};
  }
}

/** Small, so that a collection has several tasks. */
export const TASK_ROWS = 25;

const SCRIPT: Script = {
  module: fileURLToPath(new URL("builder-program.ts", import.meta.url)),
  target: "node",
  external: ["@duckdb/node-api"],
  define: { CAIRN_PROGRAM: '"simulated"' },
  // The program is built: it starts other processes without a loader.
  prepare: (code, path) =>
    code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path.replace(/\.ts$/, ".js")).href)),
};

/** Where the program uses DuckDB. */
const RECORDED: readonly Change[] = [
  {
    module: "/builder/stages/run-task.ts",
    from: "make: (folder) => make({ plan, folder, scratch }, task, { locator, open }),",
    to: `make: (folder) => {
      const work = () => make({ plan, folder, scratch }, task, { locator, open });
      return task.stage === "publish" ? work() : replayed(content ?? task.key, folder, work, plan, task);
    },`,
  },
  {
    module: "/builder/dataset/build.ts",
    from: "await writeOwnTable(database, {\n      file: table.path,\n      folder,\n      options,\n      schemaBefore,\n    });",
    to: `await replayed(table.path.slice(table.path.indexOf("/sources/")), folder, () =>
      writeOwnTable(database, { file: table.path, folder, options, schemaBefore }));`,
  },
  {
    module: "/builder/sources/measure-sources.ts",
    from: "await countRows(database, path)",
    to: 'await replayed(path.split("/").at(-1), undefined, () => countRows(database, path))',
  },
  {
    module: "/builder/publish/finish.ts",
    from: "rejects: await writeRejects(database, plan, folder),",
    to: `rejects: await replayed(scans.map(({ key }) => key).join(" "), folder, () =>
      writeRejects(database, plan, folder), plan),`,
  },
];

/** Bundles the builder, with the changes. */
export function loadBuilder(changes: readonly Change[] = []) {
  return loadScript<Builder>(SCRIPT, PROCESS_GLOBALS, [...RECORDED, ...changes]);
}

const COUNTRIES = { MC: [7.42, 43.735], JP: [139.75, 35.68], US: [-105.28, 40.015] } as const;
type Country = keyof typeof COUNTRIES;

interface Choice {
  readonly name: string;
  readonly countries: readonly Country[];
  /** Appended to the name of some places. */
  readonly suffix: string;
  readonly shops: number;
}

const CHOICES: readonly Choice[] = [
  { name: "first", countries: ["MC", "JP"], suffix: "", shops: 12 },
  { name: "renamed", countries: ["MC", "JP"], suffix: " 2", shops: 12 },
  { name: "grown", countries: ["MC", "JP", "US"], suffix: "", shops: 14 },
];

const point = (id: string, [lon, lat]: readonly [number, number], properties: object) => ({
  ...{ type: "Feature", id, properties },
  geometry: { type: "Point", coordinates: [lon, lat] },
});

/** The sources of an input, by path. */
function sourcesOf({ name, countries, suffix, shops }: Choice): Map<string, string> {
  const files = new Map<string, string>();
  const write = (path: string, features: readonly unknown[]) =>
    files.set(`/sources/${name}/${path}`, JSON.stringify({ type: "FeatureCollection", features }));
  for (const country of countries) {
    const [lon, lat] = COUNTRIES[country];
    const places = Array.from({ length: 32 }, (_, i) => {
      const primary = `Place ${country} ${i}${country === "MC" && i % 8 === 0 ? suffix : ""}`;
      return point(`place-${country}-${i}`, [lon + (i % 6) / 1000, lat + i / 6000], {
        names: { primary },
        categories: { primary: i % 2 ? "cafe" : "hotel" },
      });
    });
    // One row twice, which is a reject.
    write(`type=place/${country}.geojson`, [...places, ...places.slice(0, 1)]);
  }
  const divisions = countries.map((country) =>
    point(`division-${country}`, COUNTRIES[country], { country, subtype: "locality", names: { primary: country } }),
  );
  write("type=division/division.geojson", divisions);
  const rows = Array.from({ length: shops }, (_, i) => `s${i},Shop ${i}${suffix},${43.73 + i / 1000},7.42`);
  files.set(`/sources/${name}/shops.csv`, ["id,name,lat,lon", ...rows, ""].join("\n"));
  return files;
}

/** Builds each input for real. */
export async function record(): Promise<Recordings> {
  const root = await mkdtemp(join(tmpdir(), "cairn-simulator-"));
  const made = new Map<string, Recording>();
  const replayed = async (key: string, folder: string | undefined, make: () => Promise<unknown>): Promise<unknown> => {
    const listed = async () => (folder !== undefined && (await exists(folder)) ? filesBelow(folder) : []);
    const before = new Set(await listed());
    const result = await make();
    const files = new Map<string, Buffer>();
    for (const path of await listed()) if (!before.has(path)) files.set(path, await readFile(join(folder ?? "", path)));
    const text = JSON.stringify(result)
      ?.replaceAll(folder ?? FOLDER, FOLDER)
      .replaceAll(root, "");
    if (!made.has(key)) made.set(key, { files, result: text });
    return result;
  };
  try {
    const start = await loadBuilder();
    const globals = { process, performance, Date, crypto, setTimeout, clearTimeout, setInterval, clearInterval };
    const { buildDataset, localExecutor } = start({ ...globals, require: createRequire(import.meta.url), replayed });
    const sources = new Map<string, Buffer>();
    const inputs: Input[] = [];
    for (const choice of CHOICES) {
      for (const [path, text] of sourcesOf(choice)) {
        sources.set(path, Buffer.from(text));
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
      const { name } = choice;
      const args = [`/sources/${name}`, `/sources/${name}/shops.csv`];
      const out = join(root, name);
      const executor = localExecutor({ threadAfterMs: Number.POSITIVE_INFINITY });
      await buildDataset({ sources: args.map((arg) => join(root, arg)), out, taskRows: TASK_ROWS, executor });
      const dataset = new Map<string, Buffer>();
      for (const path of await filesBelow(out)) dataset.set(path, await readFile(join(out, path)));
      inputs.push({ name, sources: args, dataset });
    }
    return { inputs, sources, made };
  } finally {
    await rm(root, { recursive: true });
  }
}
