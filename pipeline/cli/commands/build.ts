import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { MANIFEST_PATH, REJECTS_PATH } from "../../../data/format/paths.ts";
import type { BuildReport } from "../../builder/dataset/index.ts";
import type { TableOptions } from "../../builder/tables/index.ts";
import { hideRareOptions } from "../help.ts";
import { copyTableOptions, FOLDERS, isShopMap, type MapSettings } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  addReleaseOptions,
  askedArea,
  hasArea,
  lacking,
  mapHere,
  parseCount,
  parsed,
  parseFolder,
  parseShare,
  type ReleaseArguments,
} from "../options.ts";
import { addJsonOption, type JsonArguments, type Output, openOutput } from "../output.ts";
import { asUsage, UsageError } from "../usage.ts";

const EXECUTORS = ["local", "slurm", "spark"] as const;

/** The source argument that means a release of Overture instead of a path. */
const OVERTURE = "overture";

interface BuildArguments extends AreaArguments, ReleaseArguments, JsonArguments {
  readonly name?: string;
  readonly lat?: string;
  readonly lng?: string;
  readonly geometry?: string;
  readonly crs?: string;
  readonly role?: Readonly<Record<string, string>>;
  readonly geocode?: string;
  readonly executor: (typeof EXECUTORS)[number];
  readonly workers: number;
  readonly sparkMaster?: string;
  readonly sparkConf?: readonly string[];
  readonly threads?: number;
  readonly taskRows?: number;
  readonly out?: string;
  readonly release?: string;
  readonly memory?: string;
  readonly temp?: string;
  readonly scratch?: string;
  readonly packSize?: string;
  readonly tables?: string;
  readonly level: "fast" | "small";
  readonly mostRejects?: number;
  readonly allowEmpty?: boolean;
  readonly keep: boolean;
}

/** Registers `cairn build`. */
export function registerBuild(program: Command): void {
  const command = program
    .command("build")
    .summary("build a dataset from source files or from an area of an Overture release")
    .description(
      "Build a dataset from a table, from files in Overture's schema, or from an area of an Overture release.",
    )
    .argument("[source...]", "files, folders, @list of paths, or overture")
    .option("--out <dataset>", "folder of the dataset", parsed(parseFolder))
    .option("--release <name>", "name of the release (default: the sources')");
  addJsonOption(command);
  addAreaOptions(command.optionsGroup("Which rows:"));
  addReleaseOptions(command.optionsGroup("Download options (source overture):"));
  command
    .optionsGroup("Columns of a table:")
    .option("--name <name>", "name of the collection (default: the file's)")
    .option("--lat <column>", "column with the latitude (default: found)")
    .option("--lng <column>", "column with the longitude")
    .option("--geometry <column>", "column with WKT, GeoJSON or a geohash")
    .option("--crs <code>", "reference system, such as EPSG:25832")
    .option("--role <role=column>", "meaning of a column, such as hours=Times", parseRole)
    .option("--geocode <dataset>", "fill coordinates from its addresses")
    .optionsGroup("Resources and limits:")
    .option("--memory <size>", "memory limit (default: a quarter of all)")
    .option("--threads <n>", "threads per task (default: shared by tasks)", parseCount)
    .option("--temp <folder>", "for checkpoints (default: <dataset>.build)")
    .option("--scratch <folder>", "local folder for sorting (default: --temp)")
    .option("--task-rows <n>", "approximate rows that one task sorts", parseCount)
    .optionsGroup("Which processes build:")
    .addOption(new Option("--executor <name>", "local, slurm or spark").choices(EXECUTORS).default("local"))
    .option("--workers <n>", "parallel processes", parseCount, 1)
    .option("--spark-master <url>", "such as yarn or spark://host:7077")
    .option("--spark-conf <name=value>", "setting of spark-submit", parseConf)
    .optionsGroup("Resources and limits:")
    .option("--tables <names>", "column tables, such as place:names,phones")
    .option("--pack-size <size>", "size of a file; 0: one per slice (default: 4MB)")
    .addOption(new Option("--level <name>", "compression: fast or small").choices(["fast", "small"]).default("small"))
    .optionsGroup("Resources and limits:")
    .option("--most-rejects <share>", "most rejected rows, such as 5% (default: 1%)", parseShare)
    .option("--allow-empty", "allow an empty dataset or collection")
    .optionsGroup("Resources and limits:")
    .option("--force", "ignore checkpoints of earlier builds")
    .option("--no-keep", "remove the checkpoints after a complete build");
  hideRareOptions(command, [
    "--division",
    "--from",
    "--allow-empty",
    "--connections",
    "--role",
    "--threads",
    "--scratch",
    "--task-rows",
    "--executor",
    "--workers",
    "--spark-master",
    "--spark-conf",
    "--pack-size",
    "--tables",
    "--no-keep",
  ])
    .addHelpText(
      "after",
      "\nExamples:\n  cairn build shops.csv --out shops\n  cairn build overture --bbox 7.40,43.72,7.44,43.76 --out monaco",
    )
    .action((given: string[], options: BuildArguments) => build(command, given, options));
}

async function build(command: Command, given: readonly string[], options: BuildArguments): Promise<void> {
  const isMap = given.length === 0 && options.out === undefined;
  const map = isMap ? await mapHere(command, "source") : undefined;
  if (!map && given.length === 0) lacking(command, "source");
  const { out = isMap ? FOLDERS.dataset : lacking(command, "--out <dataset>") } = options;
  const sources = map ? sourcesOf(map) : given;
  refuseSparkOptions(options);
  refuseMixedSources(sources, options);
  const { parseMemory, parsePackSize } = await import("../../base/database/index.ts");
  const { memory, packSize } = options;
  const memoryBytes = memory === undefined ? undefined : asUsage(() => parseMemory(memory));
  const packBytes = packSize === undefined ? undefined : asUsage(() => parsePackSize(packSize));
  const { buildDataset, parseColumnTables } = await import("../../builder/dataset/index.ts");
  const { tables } = options;
  const columnTables = tables === undefined ? undefined : asUsage(() => parseColumnTables(tables));
  const { withBuildProgress } = await import("../progress.ts");
  const output = openOutput(options);
  const inputs = await inputsOf(sources, { out, options, output, map });
  const { threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep } = options;
  const executor = await makeExecutor(options);
  const table = await tableOptions(options);
  const before = await manifestHash(out);
  const report = await withBuildProgress((reporting) =>
    buildDataset({
      ...inputs,
      ...{ out, threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep, executor },
      ...{ memoryBytes, packBytes, table, columnTables },
      ...reporting,
    }),
  );
  const isChanged = (await manifestHash(out)) !== before;
  for (const line of describeBuild(report)) output.say(line);
  if (!isChanged) output.say("nothing changed: the dataset has the same content as before");
  output.result({ ...jsonOfBuild(out, report), is_changed: isChanged });
}

/** Returns the sources of a map project: its downloaded area, its table, or both. */
function sourcesOf(map: MapSettings): string[] {
  if (!isShopMap(map)) return [FOLDERS.extract];
  return [...(map.area ? [FOLDERS.extract] : []), map.table];
}

/**
 * Returns the hash of the manifest, which changes with the content of the dataset. Undefined if there is no manifest.
 */
async function manifestHash(dataset: string): Promise<string | undefined> {
  const { hashFile } = await import("../../base/disk/index.ts");
  return hashFile(join(dataset, MANIFEST_PATH)).catch(() => undefined);
}

async function tableOptions({ name, lat, lng, geometry, crs, role, geocode }: BuildArguments): Promise<TableOptions> {
  const openGeocoder = async (dataset: string) => (await import("./geocoder.ts")).openGeocoder(dataset);
  const given = {
    ...{ name, lat, lng, geometry, crs, roles: role },
    geocode: geocode === undefined ? undefined : await openGeocoder(geocode),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Returns lines for people: the rows of the dataset, the rejected rows by reason, and the ignored columns. */
function describeBuild({ release, rows, partitions, bytes, rejected, reasons, collections }: BuildReport): string[] {
  const why = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
  return [
    `release ${release}: ${rows} rows in ${partitions} partitions, ${bytes} bytes, ${rejected} rejected`,
    ...(why.length > 0 ? [`rejected: ${why.join(", ")}; ${REJECTS_PATH} lists them`] : []),
    ...collections.flatMap(({ name, ignoredColumns }) =>
      ignoredColumns.length > 0 ? [`${name}: ignored columns: ${ignoredColumns.join(", ")}`] : [],
    ),
  ];
}

/** Returns the report for `--json`, with names of members as in the manifest. */
function jsonOfBuild(dataset: string, report: BuildReport): object {
  const { release, rows, partitions, bytes, rejected, reasons, collections } = report;
  return {
    ...{ dataset, release, rows, partitions, bytes },
    rejects: { rows: rejected, reasons },
    collections: Object.fromEntries(
      collections.map(({ name, rows, ignoredColumns }) => [name, { rows, ignored_columns: ignoredColumns }]),
    ),
  };
}

function isOverture(sources: readonly string[]): boolean {
  return sources.includes(OVERTURE) && !existsSync(OVERTURE);
}

function refuseMixedSources(sources: readonly string[], { from, ...options }: BuildArguments): void {
  if (!isOverture(sources)) {
    if (from !== undefined) throw new UsageError(`--from is for the source ${OVERTURE}, got ${sources.join(" ")}`);
    return;
  }
  if (sources.length > 1)
    throw new UsageError(`${OVERTURE} cannot be combined with other sources, got ${sources.join(" ")}`);
  if (!hasArea(options)) throw new UsageError(AREA_WANTED);
}

/**
 * Returns the sources with each web address replaced by the path of the downloaded file. The files stay next to the
 * dataset, so that the next build asks only for changes.
 */
async function withLiveSources(sources: readonly string[], { out, options, map }: Wanted): Promise<string[]> {
  const { fetchSource, isLiveSource } = await import("../../builder/live/index.ts");
  const isTable = options.name !== undefined || map !== undefined;
  const folder = `${out.replace(/[\\/]+$/, "")}.sources`;
  const note = (line: string) => console.error(`cairn: ${line}`);
  const found: string[] = [];
  for (const source of sources) {
    if (!isLiveSource(source, { isTable })) {
      found.push(source);
      continue;
    }
    const { address, path, bytes, isChanged } = await fetchSource(source, { folder, onWait: note });
    if (map) await copyTableOptions(path);
    note(`${address}: ${isChanged ? `${bytes} bytes fetched` : "not changed since the last build"}`);
    found.push(path);
  }
  return found;
}

interface Wanted {
  /** Settings of the map project in the current folder. Undefined if the command names its sources. */
  readonly map: MapSettings | undefined;
  readonly out: string;
  readonly options: BuildArguments;
  readonly output: Output;
}

/**
 * Returns the options of the build that say what it reads. Downloads an extract if the source is `overture`, and
 * sources at web addresses.
 */
async function inputsOf(sources: readonly string[], { out, options, output, map }: Wanted) {
  const { types, release, from, connections, force } = options;
  const area = await askedArea(options);
  if (!area || !isOverture(sources))
    return { sources: await withLiveSources(sources, { out, options, output, map }), area, types, release };
  const { fetchRelease } = await import("./fetch-release.ts");
  const folder = `${out.replace(/[\\/]+$/, "")}.overture`;
  await fetchRelease({
    ...{ area, types, release, from, connections, force },
    out: folder,
    isReplacing: true,
    // Only the build's result is printed.
    output: { ...output, result: () => undefined },
  });
  return { sources: [folder], wantedTypes: types, release };
}

function refuseSparkOptions({ executor, sparkMaster, sparkConf }: BuildArguments): void {
  if (executor !== "spark" && (sparkMaster !== undefined || sparkConf !== undefined))
    throw new UsageError("--spark-master and --spark-conf are for --executor spark");
}

async function makeExecutor({ executor, workers, sparkMaster, sparkConf }: BuildArguments) {
  const { processExecutor, slurmExecutor, sparkExecutor } = await import("../../builder/execute/index.ts");
  if (executor === "spark") return sparkExecutor({ master: sparkMaster, conf: sparkConf });
  if (executor === "slurm") return slurmExecutor();
  return workers > 1 ? processExecutor({ workers }) : undefined;
}

/** Parses `role=column` and returns the roles before with this one. Throws for another text. */
function parseRole(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, role = "", column = ""] = /^([\w-]+)=(.+)$/s.exec(text) ?? [];
  if (role === "") throw new InvalidArgumentError("Expected a role and a column such as hours=Times.");
  return { ...before, [role]: column };
}

function parseConf(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[\w.-]+=/.test(text)) throw new InvalidArgumentError("Expected a setting such as spark.yarn.queue=maps.");
  return [...before, text];
}
