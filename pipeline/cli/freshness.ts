import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { exists, filesBelow, hashFile, writeWhole } from "../base/disk/index.ts";
import { formatTime } from "./figures.ts";
import { beforeSignalEnd } from "./signals.ts";

const STAMPS = ".cairn/stamps";

/**
 * Level of compression: `fast` takes less time, `small` makes fewer bytes. A result with `small` also serves where
 * `fast` is wanted.
 */
type Level = "fast" | "small";

const ACCEPTED = { fast: ["fast", "small"], small: ["small"] } as const satisfies Record<Level, readonly Level[]>;

/**
 * Builds the dataset in `out`, unless it is there and neither the sources nor the program changed since the last build.
 */
export async function ensureDataset(sources: string, out: string, level: Level): Promise<void> {
  await whenChanged(
    "dataset",
    [sources, "data/format", "data/parquet", "data/release", "data/tables", "pipeline", "package-lock.json"],
    join(out, "manifest.json"),
    async () => {
      const { buildDataset } = await import("../builder/dataset/index.ts");
      const { withBuildProgress } = await import("./progress.ts");
      await withBuildProgress((reporting) =>
        buildDataset({ sources: [sources], out, level, keep: true, ...reporting }),
      );
    },
    ACCEPTED[level],
  );
}

/**
 * Builds the page in `out`, unless it is there and none of its sources changed since the last build. Throws if the
 * build fails.
 */
export async function ensurePage(out: string, level: Level): Promise<void> {
  const inputs = [
    "web",
    "data/format",
    "data/parquet",
    "data/release",
    "data/tables",
    "data/hours",
    "data/positions",
    "data/sample/world",
    "vite.config.ts",
    "package-lock.json",
  ];
  const make = async (): Promise<void> => {
    const program = ["--import", import.meta.resolve("tsx"), "web/site/page-main.ts"];
    const child = spawn(process.execPath, [...program, out, level], { stdio: ["ignore", "inherit", "inherit"] });
    const forget = beforeSignalEnd(() => child.kill());
    const [code] = await once(child, "exit");
    forget();
    if (code !== 0) throw new Error(`the build of the page ended with code ${code}`);
  };
  await whenChanged("page", inputs, join(out, "index.html"), make, ACCEPTED[level]);
}

async function whenChanged(
  name: string,
  inputs: readonly string[],
  product: string,
  make: () => Promise<void>,
  levels: readonly Level[],
): Promise<void> {
  const stamp = join(STAMPS, name);
  const hash = await hashTrees(inputs);
  const made = await readFile(stamp, "utf8").catch(() => "");
  if ((await exists(product)) && levels.some((level) => made === `${level}${hash}`)) return;
  const start = performance.now();
  console.error(`cairn: building the ${name}`);
  await make();
  console.error(`cairn: the ${name} is ready, ${formatTime((performance.now() - start) / 1000)}`);
  await writeWhole(stamp, `${levels[0]}${hash}`);
}

/**
 * Returns a SHA-256 in hexadecimal of the paths and contents of all files at or below these paths, without names that start with
 * a dot. Throws if a path does not exist.
 */
export async function hashTrees(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) {
    const files = (await stat(path)).isDirectory() ? await filesBelow(path) : [""];
    for (const file of files) hash.update(`${join(path, file)}\0${await hashFile(join(path, file))}\0`);
  }
  return hash.digest("hex");
}
