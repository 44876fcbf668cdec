/**
 * Datasets of synthetic places, and the same rows as the files of peers: made once, kept below `.cairn/bench`.
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseManifest } from "../../../data/format/manifest.ts";
import { type Facts, writePeerFiles } from "./peer-files.ts";

/** Where all that is made is kept. */
export const ROOT = ".cairn/bench";
/** Raised when the peers' files change. */
const VERSION = 2;

export interface BenchData {
  /** Folder of the dataset. */
  readonly dataset: string;
  /** Folder of the peers' files. */
  readonly peers: string;
  readonly rows: number;
  readonly facts: Facts;
}

/** The dataset of so many synthetic places; made when it is not there. */
export function ensureSynthetic(places: number): string {
  return ensureBuilt(String(places), () => ensureSource(places));
}

/** The files of so many synthetic places: the first of those of any larger number. Made when they are not there. */
export function ensureSource(places: number): string {
  const source = join(ROOT, String(places), "source");
  if (!existsSync(source)) run("synth", "--", source, "--places", String(places));
  return source;
}

/** The dataset of a name, made from a source when it is not there. */
export function ensureBuilt(name: string, source: () => string): string {
  const folder = join(ROOT, name);
  const dataset = join(folder, "dataset");
  if (existsSync(join(dataset, "manifest.json"))) return dataset;
  mkdirSync(folder, { recursive: true });
  run("cairn", "--", "build", source(), "--out", dataset, "--no-keep");
  return dataset;
}

/** The dataset with the peers' files of its places, made when they are not there. */
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
