/**
 * Datasets of synthetic places, and the same rows as files for peers. Made once, stored below `.cairn/bench`.
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { type Facts, writePeerFiles } from "./peer-files.ts";

/** Folder of all benchmark data. */
export const ROOT = ".cairn/bench";
/** Increase if the peers' files change. */
const VERSION = 2;

export interface BenchData {
  readonly dataset: string;
  readonly peers: string;
  readonly rows: number;
  readonly facts: Facts;
}

/** Returns the dataset with this many synthetic places. Makes it if missing. */
export function ensureSynthetic(places: number): string {
  return ensureBuilt(String(places), () => ensureSource(places));
}

/**
 * Returns the files with this many synthetic places, which are the first of any larger number. Makes them if missing.
 */
export function ensureSource(places: number): string {
  const source = join(ROOT, String(places), "source");
  if (!existsSync(source)) run("synth", "--", source, "--places", String(places));
  return source;
}

/** Returns the dataset with this name. Builds it from a source if missing. */
export function ensureBuilt(name: string, source: () => string): string {
  const folder = join(ROOT, name);
  const dataset = join(folder, "dataset");
  if (existsSync(join(dataset, "manifest.json"))) return dataset;
  mkdirSync(folder, { recursive: true });
  run("cairn", "--", "build", source(), "--out", dataset, "--no-keep");
  return dataset;
}

/** Returns the dataset with the peers' files of its places. Makes them if missing. */
export async function ensurePeers(dataset: string): Promise<BenchData> {
  const manifest = parseManifest(JSON.parse(readFileSync(join(dataset, "manifest.json"), "utf8")));
  const { place } = manifest.collections;
  if (!place) throw new Error(`${dataset} has no places, expected some`);
  const peers = join(ROOT, "peers", `${manifest.release}-${VERSION}`);
  if (!existsSync(peers)) {
    const part = `${peers}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    await writePeerFiles(dataset, place.rows, part);
    renameSync(part, peers);
  }
  const facts = JSON.parse(readFileSync(join(peers, "facts.json"), "utf8")) as Facts;
  return { dataset, peers, rows: place.rows, facts };
}

function run(script: string, ...args: readonly string[]): void {
  execFileSync("npm", ["run", "-s", script, ...args], { stdio: ["ignore", "inherit", "inherit"] });
}
