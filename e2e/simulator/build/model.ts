/**
 * What the folder of a dataset may have at any time: one complete release, of which some build said that it is under way.
 * @module
 */
import { MANIFEST_PATH, REJECTS_PATH } from "../../../data/format/paths.ts";
import { isFolder, type SimulatedDisk } from "./disk.ts";
import type { Input, Recordings } from "./recordings.ts";

/** The program did something wrong. */
export class Wrong extends Error {}

const isNamedByContent = (path: string) => /\/[0-9a-f]{16}\.\w+$/.test(path);

export class DatasetModel {
  readonly #disk: SimulatedDisk;
  readonly #folder: string;
  readonly #inputs: readonly Input[];
  /** Inputs that the dataset may be of; `none` before the first. */
  readonly allowed = new Set<string>(["none"]);
  /** Files that another program changed since the last finished build. */
  readonly spoiled = new Set<string>();

  constructor(disk: SimulatedDisk, folder: string, { inputs }: Recordings) {
    this.#disk = disk;
    this.#folder = folder;
    this.#inputs = inputs;
  }

  #bytes(path: string): Buffer | undefined {
    const entry = this.#disk.find(`${this.#folder}/${path}`);
    return entry && !isFolder(entry) ? entry.bytes : undefined;
  }

  /** The input of the manifest; `none` without one. Throws if no input has this manifest, or if no build was asked for the input. */
  current(): Input | "none" {
    const manifest = this.#bytes(MANIFEST_PATH);
    const found = manifest ? this.#inputs.find(({ dataset }) => isSame(dataset.get(MANIFEST_PATH), manifest)) : "none";
    if (!found) throw new Wrong(`the manifest is of no release: ${manifest?.length} bytes`);
    const name = found === "none" ? found : found.name;
    if (!this.allowed.has(name)) throw new Wrong(`the dataset is ${name}, expected ${[...this.allowed].join(" or ")}`);
    return found;
  }

  /** Throws if a file is missing that a reader of the release needs. */
  expectComplete(): void {
    const current = this.current();
    if (current === "none") return;
    for (const [path, bytes] of current.dataset) {
      if (this.spoiled.has(path)) continue;
      const found = this.#bytes(path);
      // These keep their names, and are replaced before the manifest.
      const isOfAny = !isNamedByContent(path) && path !== MANIFEST_PATH;
      const isRight = isOfAny
        ? this.#inputs.some(({ dataset }) => isSame(dataset.get(path), found)) || found === undefined
        : isSame(bytes, found);
      if (!isRight) throw new Wrong(`${current.name} is not complete: ${path} has ${found?.length ?? "no"} bytes`);
    }
  }

  /** Throws if the folder has other files than the dataset. Drafts of locks may stay for an hour. */
  expectExact(input: Input, mayHaveDrafts = false): void {
    if (this.current() !== input) throw new Wrong(`the dataset is not ${input.name}`);
    const others = new Set(this.#disk.paths(this.#folder));
    for (const [path, bytes] of input.dataset) {
      if (!isSame(bytes, this.#bytes(path))) throw new Wrong(`${input.name}: ${path} differs`);
      others.delete(`${this.#folder}/${path}`);
    }
    for (const other of others)
      if (!mayHaveDrafts || !other.includes("/.build.lock."))
        throw new Wrong(`${input.name} was built, and ${other} stays`);
  }

  /** Checks a change of a path in the folder. */
  onChange(path: string): void {
    const below = path.slice(this.#folder.length + 1);
    if (below === MANIFEST_PATH) this.expectComplete();
    if (!isNamedByContent(below) && below !== REJECTS_PATH) return;
    const current = this.current();
    const needed = current === "none" || below === REJECTS_PATH ? undefined : current.dataset.get(below);
    if (needed && !this.spoiled.has(below) && !isSame(needed, this.#bytes(below)))
      throw new Wrong(`${below} was changed, which a reader needs`);
  }
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}
