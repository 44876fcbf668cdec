/**
 * A synthetic release in the published format: packs of slices without rows, an index over them, and blocks of
 * records with checksums. Tests read it as the engine does.
 * @module
 */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { BBox } from "../../../../data/format/bbox.ts";
import { BLOCK_BYTES, sealBlock, sealLast } from "../../../../data/format/blocks.ts";
import { openIdBlock, writeSegment } from "../../../../data/format/id-order.ts";
import { FORMAT_VERSION, type IndexNode, isPage, type Manifest, type Slice } from "../../../../data/format/manifest.ts";
import { readManifestFile, writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { readPage } from "../../../../data/format/manifest-schema.ts";
import { locationPackPath, MANIFEST_PATH, packPath } from "../../../../data/format/paths.ts";
import { openGroup, readDictionary, recordAddressOf, writeGroup } from "../../../../data/format/records.ts";
import { FetchError } from "../../../engine/contract/errors.ts";
import type { ByteSource } from "../../../engine/contract/ports.ts";
import { readManifest, readSlice, type SliceEntry } from "../../../engine/index-tree/files.ts";
import type { PlanArea } from "../saved-areas/save-area.ts";

export interface MadeUpRelease {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly hashes: ReadonlySet<string>;
}

export interface ReleaseOptions {
  readonly release: string;
  /** Cells of 0.1 degrees, eastwards from the zero meridian. */
  readonly cells?: number;
  /** The version of a cell's content. Cells of the same version have the same slices in all releases. */
  readonly versionOf?: (cell: number) => number;
  readonly slicesPerPack?: number;
  readonly nodesPerPage?: number;
}

const COUNTRY = "AA";
const BLOCKS = 6;
const DEGREES = 0.1;
const LONGEST_SLICE_BYTES = 900;

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (buffer: Uint8Array) => new Uint8Array(buffer);
const deflate = (bytes: Uint8Array, dictionary?: Uint8Array) =>
  bytesOf(deflateRawSync(bytes, dictionary ? { dictionary } : {}));
const DICTIONARY = new TextEncoder().encode('{"id":"row","names":{"primary":"');

/** Incompressible bytes, determined by the name. */
function noise(name: string, length: number): Uint8Array<ArrayBuffer> {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, part) =>
    createHash("sha256").update(`${name} ${part}`).digest(),
  );
  return bytesOf(Buffer.concat(parts)).slice(0, length);
}

/** Creates a release. */
export async function makeRelease(options: ReleaseOptions): Promise<MadeUpRelease> {
  const { release, cells = 8, versionOf = () => 1, slicesPerPack = 3, nodesPerPage = 3 } = options;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const hashes = new Set<string>();
  const all = Array.from({ length: cells }, (_, cell) => cell);

  function pack(contents: readonly Uint8Array[], pathOf: (name: string) => string): Slice[] {
    const slices: Slice[] = [];
    for (let first = 0; first < contents.length; first += slicesPerPack) {
      const own = contents.slice(first, first + slicesPerPack);
      const file = bytesOf(Buffer.concat(own));
      const name = hashOf(file).slice(0, 16);
      files.set(pathOf(name), file);
      let offset = 0;
      for (const bytes of own) {
        slices.push({ pack: name, offset, bytes: bytes.length, sha256: hashOf(bytes) });
        hashes.add(hashOf(bytes));
        offset += bytes.length;
      }
    }
    return slices;
  }
  const packOf = (kind: Parameters<typeof packPath>[1]) => (name: string) => packPath("place", kind, name);
  const contentOf = (kind: string, cell: number) =>
    noise(`${kind} ${cell} ${versionOf(cell)}`, LONGEST_SLICE_BYTES - ((cell * 131) % 500));

  const boxOf = (cell: number): BBox => [cell * DEGREES, 0, (cell + 0.5) * DEGREES, 0.05];
  const locations = pack(
    all.map((cell) => contentOf("location", cell)),
    (name) => locationPackPath("place", { country: COUNTRY, pack: `-/${name}` }),
  );
  const points = pack(
    all.map((cell) => contentOf("points", cell)),
    packOf("points"),
  );
  const records = pack(await Promise.all(all.map((cell) => chunkOf(cell, versionOf(cell)))), packOf("records"));
  const ids = pack(await Promise.all(all.map((cell) => segmentOf(cell, versionOf(cell)))), packOf("ids"));
  const terms = pack(
    all.map((cell) => contentOf("term", cell)),
    packOf("term"),
  );
  const [dictionary] = pack([deflate(DICTIONARY)], packOf("dictionary"));
  if (!dictionary) throw new Error("no dictionary");

  const common = (cell: number) => ({ rows: BLOCKS, bbox: boxOf(cell), country: COUNTRY });
  const nodes = {
    location: locations.map((slice, cell) => ({
      ...slice,
      ...common(cell),
      pack: `-/${slice.pack}`,
      geohash: "-",
      points: points[cell],
      record: recordAddressOf({ chunk: cell, block: 0, row: 0 }),
    })),
    records: records.map((slice, cell) => ({ ...slice, ...common(cell), chunk: cell, blocks: BLOCKS })),
    ids: ids.map((slice, cell) => ({
      ...slice,
      ...common(cell),
      first_id: idOf(cell, 0),
      last_id: idOf(cell, BLOCKS - 1),
      start: cell * BLOCKS,
      segment: cell,
      blocks: 1,
    })),
    term: terms.map((slice, cell) => ({
      ...slice,
      ...common(cell),
      first_term: `name:${String(cell).padStart(3, "0")}`,
      last_term: `name:${String(cell).padStart(3, "0")}`,
      start: 0,
    })),
  };
  /** Groups the nodes into index pages where there are too many for the manifest. */
  function inPages(own: readonly IndexNode[]): IndexNode[] {
    const groups = own.flatMap((_, index) =>
      index % nodesPerPage === 0 ? [own.slice(index, index + nodesPerPage)] : [],
    );
    const pages = pack(
      groups.map((group) => deflate(new TextEncoder().encode(JSON.stringify(group)))),
      packOf("pages"),
    );
    return pages.map((slice, index) => {
      const group = groups[index] ?? [];
      const boxes = group.map(({ bbox }) => bbox);
      const bbox: BBox = [boxes[0]?.[0] ?? 0, 0, boxes.at(-1)?.[2] ?? 0, 0.05];
      return { ...slice, rows: group.length * BLOCKS, bbox, partitions: group.length };
    });
  }
  const runOf = (own: IndexNode[]) => {
    const bytes = own.reduce((sum, node) => sum + node.bytes, 0);
    return { partitions: cells, bytes, nodes: own };
  };
  const rows = cells * BLOCKS;
  const file = bytesOf(
    await writeManifestFile({
      format: "cairn",
      format_version: FORMAT_VERSION,
      release,
      attribution: [],
      rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
      collections: {
        place: {
          rows,
          bbox: [0, 0, cells * DEGREES, 0.05],
          countries: { [COUNTRY]: rows },
          segments: { [COUNTRY]: 0 },
          chunks: { [COUNTRY]: 0 },
          dictionary,
          ignored_columns: [],
          runs: {
            location: runOf(inPages(nodes.location as IndexNode[])),
            records: runOf(inPages(nodes.records)),
            ids: runOf(inPages(nodes.ids)),
            term: runOf(nodes.term),
          },
        },
      },
    }),
  );
  files.set(MANIFEST_PATH, file);
  return { manifest: await readManifestFile(file), files, hashes };
}

const idOf = (cell: number, block: number) => `row${String(cell).padStart(3, "0")}-${block}`;

async function chunkOf(cell: number, version: number): Promise<Uint8Array> {
  const groups = await Promise.all(
    Array.from({ length: BLOCKS }, (_, block) => {
      const json = new TextEncoder().encode(JSON.stringify({ id: idOf(cell, block), version }));
      const seal = block === BLOCKS - 1 ? sealLast : sealBlock;
      return seal(writeGroup([{ json, geometry: new Uint8Array(3) }], deflate, DICTIONARY), block);
    }),
  );
  return bytesOf(Buffer.concat(groups));
}

/** The ids of a cell. A change of its rows moves their records. */
async function segmentOf(cell: number, version: number): Promise<Uint8Array> {
  const entries = Array.from({ length: BLOCKS }, (_, block) => ({
    id: idOf(cell, block),
    address: recordAddressOf({ chunk: cell, block: (block + version) % BLOCKS, row: 0 }),
  }));
  return bytesOf((await writeSegment(entries, deflate)).bytes);
}

/** The requested cells, between two longitudes. */
export interface Question {
  readonly west: number;
  readonly east: number;
}

export interface MadeUpAnswer {
  readonly release: string;
  /** Ranges that were read and validated. */
  readonly read: readonly { readonly path: string; readonly start: number; readonly bytes: Uint8Array }[];
}

interface Found {
  readonly manifest: Manifest;
  readonly entries: readonly SliceEntry[];
  readonly chunks: readonly SliceEntry[];
  readonly segments: readonly SliceEntry[];
  readonly dictionary: SliceEntry;
}

/** Finds the slices through the index as the engine does. Throws its errors. */
async function findSlices(source: ByteSource, { west, east }: Question, signal?: AbortSignal): Promise<Found> {
  const { manifest } = await readManifest(source, signal);
  const place = manifest.collections.place;
  if (!place) throw new Error("the release has no collection place");
  const entries: SliceEntry[] = [];
  const at = (path: string, { offset, bytes, sha256 }: Slice): SliceEntry => ({ path, offset, bytes, sha256 });
  async function walk(nodes: readonly IndexNode[]): Promise<IndexNode[]> {
    const wanted = nodes.filter(({ bbox }) => bbox[0] <= east && bbox[2] >= west);
    const below = wanted.map(async (node) => {
      if (!isPage(node)) return [node];
      const entry = at(packPath("place", "pages", node.pack), node);
      entries.push(entry);
      return walk(readPage(await readSlice(source, entry, signal)).nodes);
    });
    return (await Promise.all(below)).flat();
  }
  for (const node of await walk(place.runs.location.nodes)) {
    if (!("points" in node)) continue;
    entries.push(at(locationPackPath("place", node), node));
    entries.push(at(packPath("place", "points", node.points.pack), node.points));
  }
  const slicesOf = async (run: "records" | "ids") =>
    (await walk(place.runs[run].nodes)).map((node) => at(packPath("place", run, node.pack), node));
  const [chunks, segments] = [await slicesOf("records"), await slicesOf("ids")];
  const dictionary = at(packPath("place", "dictionary", place.dictionary.pack), place.dictionary);
  return { manifest, entries: [...entries, dictionary], chunks, segments, dictionary };
}

/**
 * Reads what a search in these cells would read, in parallel: pages, slices, two blocks of each chunk, and the
 * block of each segment. Throws the engine's errors.
 */
export async function ask(source: ByteSource, question: Question, signal?: AbortSignal): Promise<MadeUpAnswer> {
  const { manifest, entries, chunks, segments, dictionary } = await findSlices(source, question, signal);
  const words = readDictionary(await readSlice(source, dictionary, signal));
  const slices = entries.map(async (entry) => ({
    path: entry.path,
    start: entry.offset,
    bytes: await readSlice(source, entry, signal),
  }));
  const openRecords = (bytes: Uint8Array, block: number) => openGroup(bytes, block, words);
  const asked = [
    ...chunks.flatMap((slice) => [1, BLOCKS - 1].map((block) => ({ slice, block, open: openRecords }))),
    ...segments.map((slice) => ({ slice, block: 0, open: openIdBlock })),
  ];
  const blocks = asked.map(async ({ slice, block, open }) => {
    const start = slice.offset + block * BLOCK_BYTES;
    return { path: slice.path, start, bytes: await readBlock(source, slice, { block, start, open }, signal) };
  });
  return { release: manifest.release, read: await Promise.all([...slices, ...blocks]) };
}

interface AskedBlock {
  readonly block: number;
  /** Of its first byte, in the pack. */
  readonly start: number;
  readonly open: (bytes: Uint8Array, block: number) => Promise<unknown>;
}

async function readBlock(
  source: ByteSource,
  { path, offset, bytes, sha256 }: SliceEntry,
  { block, start, open }: AskedBlock,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const isSound = (read: Uint8Array) =>
    open(read, block).then(
      () => true,
      () => false,
    );
  const options = {
    range: { start, end: Math.min(start + BLOCK_BYTES, offset + bytes) },
    within: { offset, bytes, sha256 },
    isSound,
    signal,
  };
  const read = await source.read(path, options);
  if (await isSound(read)) return read;
  const again = await source.read(path, { ...options, fresh: true });
  await open(again, block).catch((cause: unknown) => {
    throw new FetchError(`${path} of ${source.name}: ${String(cause)}`, { path });
  });
  return again;
}

/** Throws unless each range of the answer matches its release, and there are enough of them. */
export function expectAnswer({ release, read }: MadeUpAnswer, releases: readonly MadeUpRelease[]): void {
  const { files } = releases.find(({ manifest }) => manifest.release === release) ?? {};
  for (const { path, start, bytes } of read) {
    const right = files?.get(path)?.subarray(start, start + bytes.length);
    if (!right || Buffer.compare(right, bytes) !== 0)
      throw new Error(`${path} at byte ${start} is wrong in ${release}`);
  }
  if (read.length < 6) throw new Error(`${read.length} ranges were read, expected more`);
}

/** The files that an area needs, like `listAreaFiles` for real releases: with names also their records and ids. */
export const planMadeUp: PlanArea = async ({ shape, hasNames }, source, signal) => {
  const { manifest, entries, chunks, segments } = await findSlices(source, questionOf(shape), signal);
  return { manifest, files: [...entries, ...(hasNames ? [...chunks, ...segments] : [])] };
};

/** The cells of an area. For a circle: those within its radius in metres on the equator. */
function questionOf(shape: Parameters<PlanArea>[0]["shape"]): Question {
  if (shape.kind === "country") return { west: -180, east: 180 };
  if (shape.kind === "bbox") return { west: shape.bbox[0], east: shape.bbox[2] };
  const reach = shape.radiusMeters / 111_195;
  return { west: shape.lon - reach, east: shape.lon + reach };
}
