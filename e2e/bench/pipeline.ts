/**
 * Builds datasets of several sizes from synthetic sources, each beside the floor, and writes what it took to
 * `docs/benchmarks.md`. Needs Linux, and about 5 KB of disk for each row of the largest size. `--keep` leaves sources and
 * datasets in the folder.
 *
 *     npm run bench:pipeline -- [--places 1000000,5000000,20000000] [--buildings 5000000] [--memory 4GB] [--folder <scratch>] [--keep]
 * @module
 */
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseManifest } from "../../data/format/manifest.ts";
import { BENCHMARKS, writeSection } from "./document.ts";
import { measureNode, sizeOfFolder } from "./pipeline-process.ts";
import { type Measured, reportOf } from "./pipeline-report.ts";

const SECTION = { name: "pipeline", command: "npm run bench:pipeline", heading: "## The pipeline" };

const TSX = ["--import", "tsx"];
const CLI = [...TSX, "pipeline/cli/main.ts"];

/** Runs that hold every row. */
const WHOLE_RUNS = ["location", "id", "term"] as const;

const { values } = parseArgs({
  options: {
    places: { type: "string", default: "1000000,5000000,20000000" },
    buildings: { type: "string", default: "5000000" },
    memory: { type: "string", default: "4GB" },
    folder: { type: "string", default: tmpdir() },
    keep: { type: "boolean", default: false },
  },
});

function sizesOf(kind: Measured["kind"]): { kind: Measured["kind"]; rows: number }[] {
  const sizes = values[kind].split(",").filter((text) => text !== "");
  return sizes.map((text) => {
    if (!/^[1-9]\d*$/.test(text))
      throw new Error(`--${kind}: expected numbers of rows, such as 1000000,5000000, got ${text}`);
    return { kind, rows: Number(text) };
  });
}

async function measure(kind: Measured["kind"], rows: number, scratch: string): Promise<Measured> {
  const [source, dataset, temp, copy] = ["source", "dataset", "temp", "floor.parquet"].map((name) =>
    join(scratch, name),
  ) as [string, string, string, string];
  await mkdir(temp, { recursive: true });
  await measureNode([...CLI, "synth", `--${kind}`, String(rows), "--out", source], source);
  const loadBefore = loadavg()[0] ?? 0;
  const floor = await measureNode([...TSX, "e2e/bench/pipeline-floor.ts", source, copy, values.memory, temp], temp);
  const { size: floorBytes } = await stat(copy);
  await rm(copy);
  const building = [...CLI, "build", source, "--out", dataset, "--memory", values.memory, "--temp", temp, "--no-keep"];
  const build = await measureNode(building, temp);
  const text = await readFile(join(dataset, "manifest.json"), "utf8");
  const [collection] = Object.values(parseManifest(JSON.parse(text)).collections);
  if (collection?.rows !== rows) throw new Error(`the dataset has ${collection?.rows} rows, expected ${rows}`);
  const runs = Object.values(collection.runs);
  return {
    kind,
    rows,
    sourceBytes: await sizeOfFolder(source),
    floor,
    floorBytes,
    build,
    dataset: {
      bytes: await sizeOfFolder(dataset),
      partitions: runs.reduce((sum, run) => sum + (run?.partitions ?? 0), 0),
      manifestBytes: (await stat(join(dataset, "manifest.json"))).size,
      runs: WHOLE_RUNS.filter((run) => collection.runs[run] !== undefined).length,
    },
    loadBefore,
  };
}

const measured: Measured[] = [];
for (const { kind, rows } of [...sizesOf("places"), ...sizesOf("buildings")]) {
  const scratch = await mkdtemp(join(values.folder, `cairn-bench-${kind}-${rows}-`));
  try {
    const one = await measure(kind, rows, scratch);
    measured.push(one);
    console.log(`${rows} ${kind}: ${one.build.seconds.toFixed(1)} s, floor ${one.floor.seconds.toFixed(1)} s`);
  } finally {
    if (values.keep) console.log(`kept in ${scratch}`);
    else await rm(scratch, { recursive: true, force: true });
  }
  // whoever stops a long run keeps what was measured
  await writeSection(BENCHMARKS, SECTION, reportOf(measured, values.memory));
}
