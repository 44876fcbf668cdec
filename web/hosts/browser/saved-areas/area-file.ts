/**
 * A saved area as a tar file of `area.json`, `manifest.json` and slices, which are named by pack and first byte. Everything in it
 * is checked like data from a host. @module
 */
import * as z from "zod/mini";
import { MAX_MANIFEST_BYTES } from "../../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { collectionName } from "../../../../data/format/manifest-schema.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import { valid } from "../../../../data/format/valid.ts";
import { type AreaSelection, type ByteSource, FetchError, readSlice, type SliceEntry } from "../../../engine/index.ts";
import type { Area, AreaChoice, SaveProgress } from "../protocol/index.ts";
import { type AreaFiles, cacheNameOf, type FileCache, type Sink, wantedOf } from "../storage/index.ts";
import { counted } from "./area-changes.ts";
import { type PlanArea, planFiles } from "./save-area.ts";
import { selectionOf } from "./selection-of.ts";
import { readTar, type TarEntry, tarEnd, tarHeader, tarPadding } from "./tar.ts";

const AREA_PATH = "area.json";
const FORMAT = "cairn-area";
/** Version 1 contained whole files. */
const VERSION = 2;

const degrees = z.number().check(z.minimum(-180), z.maximum(180));
const bbox = z.tuple([degrees, degrees, degrees, degrees]);
/** More than the collections of a dataset, so that a made-up list does not read the same parts many times. */
const MOST_COLLECTIONS = 900;
const selection = z.object({
  shape: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), lon: degrees, lat: degrees, radiusMeters: z.number().check(z.positive()) }),
    z.object({ kind: z.literal("country"), country: z.string().check(z.regex(/^[A-Z]{2}$/)) }),
    z.object({ kind: z.literal("bbox"), bbox }),
  ]),
  collections: z.array(collectionName).check(z.maxLength(MOST_COLLECTIONS)),
  hasNames: z.boolean(),
  around: z._default(z.array(z.object({ collection: collectionName, bbox })).check(z.maxLength(MOST_COLLECTIONS)), []),
});
const description = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  name: z.string().check(z.maxLength(500)),
  manifest_sha256: z.string(),
  selection,
});

interface ReadArea {
  readonly name: string;
  readonly selection: AreaSelection;
  readonly next: AreaFiles;
  readonly source: ByteSource;
}

/** A file of a saved area is damaged, or does not fit the dataset. */
export class AreaFileError extends Error {
  override readonly name = "AreaFileError";
}

interface ExportContext {
  /** Returns a checked slice of the area: from the cache, or fetched again when it is damaged there. */
  readonly read: (entry: SliceEntry, signal?: AbortSignal) => Promise<Uint8Array>;
  readonly sink: Sink;
  readonly onProgress: (progress: SaveProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Writes an area as a tar file into the sink. Returns what the sink returns: a blob, or undefined if it writes a file. If writing
 * fails, aborts the sink and throws.
 */
export async function writeAreaFile(
  area: Pick<Area, "name" | "selection">,
  held: AreaFiles,
  context: ExportContext,
): Promise<Blob | undefined> {
  const { sink, read, onProgress, signal } = context;
  const { name, selection } = area;
  const add = async (path: string, bytes: Uint8Array) => {
    await sink.write(tarHeader(path, bytes.byteLength));
    await sink.write(Uint8Array.from(bytes));
    await sink.write(tarPadding(bytes.byteLength));
  };
  const isDone = counted(held.files, onProgress);
  try {
    const manifest = await writeManifestFile(held.manifest);
    const manifest_sha256 = await sha256Of(manifest);
    await add(AREA_PATH, encode({ format: FORMAT, version: VERSION, name, manifest_sha256, selection }));
    await add(MANIFEST_PATH, manifest);
    for (const entry of held.files) {
      signal?.throwIfAborted();
      await add(entryName(entry.path, entry.offset), await read(entry, signal));
      isDone(entry);
    }
    await sink.write(tarEnd());
    return await sink.close();
  } catch (error) {
    await sink.abort().catch(() => {});
    throw error;
  }
}

/**
 * Reads the description of an area's file, and checks that the file has all slices. Throws `AreaFileError` when it is no such
 * file, is truncated, has another version, or lacks a slice.
 */
export async function readAreaFile(file: Blob, plan: PlanArea = planFiles): Promise<ReadArea> {
  return judge(async () => {
    const contents = new Map<string, TarEntry>();
    for await (const entry of readTar(file)) {
      if (contents.has(entry.name)) throw new Error(`the file contains ${entry.name} twice`);
      contents.set(entry.name, entry);
    }
    const source = sourceOf(contents);
    const { name, selection, manifest_sha256 } = parseDescription(JSON.parse(decode(await source.read(AREA_PATH))));
    const sha256 = await sha256Of(await source.read(MANIFEST_PATH));
    if (sha256 !== manifest_sha256) {
      throw new Error(`${MANIFEST_PATH} has SHA-256 ${sha256}, expected ${manifest_sha256}`);
    }
    const next = await plan(selection, source);
    const lacking = next.files.find(({ path, offset }) => !contents.has(entryName(path, offset)));
    if (lacking) throw new Error(`the file lacks ${entryName(lacking.path, lacking.offset)}`);
    return { name, selection, next, source };
  });
}

/**
 * Stores the slices of the file. Throws `AreaFileError` at the first slice that differs from the manifest; slices before it stay
 * stored.
 */
export async function keepAreaFile(
  { next, source }: ReadArea,
  files: FileCache,
  { signal, onProgress = () => {} }: { signal?: AbortSignal; onProgress?: (progress: SaveProgress) => void } = {},
): Promise<void> {
  const isDone = counted(next.files, onProgress);
  for (const entry of next.files) {
    signal?.throwIfAborted();
    const bytes = await judge(() => readSlice(source, entry, signal));
    await files.write(cacheNameOf(wantedOf(entry)), bytes);
    isDone(entry);
  }
}

function sourceOf(contents: ReadonlyMap<string, TarEntry>): ByteSource {
  return {
    name: "the file",
    async read(path, { range, bytes, maxBytes = bytes ?? MAX_MANIFEST_BYTES } = {}) {
      const name = range ? entryName(path, range.start) : path;
      const mostBytes = range ? range.end - range.start : maxBytes;
      const entry = contents.get(name);
      if (!entry) throw new FetchError(`the file lacks ${name}`, { path });
      if (entry.size > mostBytes) {
        throw new FetchError(`${name} has ${entry.size} bytes, expected at most ${mostBytes}`, { path });
      }
      return entry.content();
    },
  };
}

function entryName(path: string, offset: number): string {
  return `${path}/${offset}`;
}

function parseDescription(value: unknown): z.infer<typeof description> {
  const { version } = (value ?? {}) as { readonly version?: unknown };
  if (typeof version === "number" && version !== VERSION) {
    throw new Error(`the file has version ${version}, this program reads ${VERSION}`);
  }
  return valid(AREA_PATH, description, value);
}

async function judge<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new AreaFileError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

interface PackOptions {
  readonly name: string;
  readonly choice: AreaChoice;
  /** Where the dataset is read from. */
  readonly source: ByteSource;
  readonly sink: Sink;
  readonly onProgress: (progress: SaveProgress) => void;
}

interface PackedArea {
  readonly release: string;
  readonly files: number;
}

/**
 * Writes an area of a dataset as a file that a page can import. Throws before anything is written if the index cannot be read. If
 * writing fails, aborts the sink and throws.
 */
export async function packArea({ name, choice, source, sink, onProgress }: PackOptions): Promise<PackedArea> {
  const selection = selectionOf(choice);
  const held = await planFiles(selection, source);
  await writeAreaFile({ name, selection }, held, { read: (entry) => readSlice(source, entry), sink, onProgress });
  return { release: held.manifest.release, files: held.files.length };
}
