/** OpenStreetMap's PBF format. @see https://wiki.openstreetmap.org/wiki/PBF_Format @module */

import { unzlibSync } from "fflate";
import { PbfReader } from "pbf";
import { messageOf } from "../../format/message-of.ts";
import { TableError } from "../table.ts";
import {
  historyIn,
  type OsmBlock,
  type OsmBytes,
  type OsmFile,
  type OsmKind,
  type OsmMember,
  type OsmNode,
  type OsmRelation,
  type OsmTags,
  type OsmWay,
} from "./elements.ts";

/** Limits of the format. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BLOB_BYTES = 32 * 2 ** 20;

const FEATURES = new Set(["OsmSchema-V0.6", "DenseNodes"]);
const KINDS: readonly OsmKind[] = ["node", "way", "relation"];
const DEGREES_PER_NANO = 1e-9;

/** Returns true if the bytes begin like a PBF file: the length of a header, and its type. */
export function isOsmPbf(start: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(start.subarray(0, 15)).endsWith("\n\u0009OSMHeader");
}

/**
 * Opens a PBF file. `blocks` reads one block at a time, and throws `TableError` if the file is damaged or needs a
 * feature that is not supported.
 */
export function openOsmPbf(bytes: OsmBytes): OsmFile {
  return { format: "osm-pbf", blocks: () => blocksOf(bytes) };
}

async function* blocksOf(bytes: OsmBytes): AsyncGenerator<OsmBlock> {
  let offset = 0;
  while (offset < bytes.byteLength) {
    const length = await part(bytes, offset, offset + 4);
    const headerBytes = new DataView(length.buffer, length.byteOffset, 4).getUint32(0);
    if (headerBytes > MAX_HEADER_BYTES) throw damaged(`a header of ${headerBytes} bytes at byte ${offset}`);
    const start = offset + 4;
    const header = await part(bytes, start, start + headerBytes);
    const { type, size } = readMessage(header, readBlobHeader, { type: "", size: 0 });
    if (size > MAX_BLOB_BYTES) throw damaged(`a block of ${size} bytes at byte ${offset}`);
    const end = start + headerBytes + size;
    if (type === "OSMData") yield readBlock(unpacked(await part(bytes, start + headerBytes, end)));
    else if (type === "OSMHeader") checkFeatures(unpacked(await part(bytes, start + headerBytes, end)));
    offset = end;
  }
}

async function part(bytes: OsmBytes, start: number, end: number): Promise<Uint8Array> {
  if (end > bytes.byteLength) throw damaged(`it ends at byte ${bytes.byteLength}, in the middle of a block`);
  return bytes.read(start, end);
}

function damaged(why: string): TableError {
  return new TableError(`the PBF file is damaged: ${why}`);
}

type ReadField<T> = (tag: number, result: T, pbf: PbfReader) => void;

function readMessage<T>(bytes: Uint8Array, readField: ReadField<T>, result: T): T {
  try {
    return new PbfReader(bytes).readFields(readField, result);
  } catch (error) {
    throw damaged(messageOf(error));
  }
}

const readBlobHeader: ReadField<{ type: string; size: number }> = (tag, header, pbf) => {
  if (tag === 1) header.type = pbf.readString();
  else if (tag === 3) header.size = pbf.readVarint();
};

interface Blob {
  raw?: Uint8Array;
  size: number;
  zlib?: Uint8Array;
  other?: string;
}

const OTHER_COMPRESSIONS: Readonly<Record<number, string>> = { 4: "lzma", 5: "bzip2", 6: "lz4", 7: "zstd" };

const readBlob: ReadField<Blob> = (tag, blob, pbf) => {
  if (tag === 1) blob.raw = pbf.readBytes();
  else if (tag === 2) blob.size = pbf.readVarint();
  else if (tag === 3) blob.zlib = pbf.readBytes();
  else if (OTHER_COMPRESSIONS[tag] !== undefined) blob.other = OTHER_COMPRESSIONS[tag];
};

function unpacked(bytes: Uint8Array): Uint8Array {
  const { raw, size, zlib, other } = readMessage<Blob>(bytes, readBlob, { size: 0 });
  if (raw) return raw;
  if (!zlib)
    throw new TableError(
      `the PBF file has blocks compressed with ${other ?? "an unknown method"}, and zlib is read: convert it with osmium cat -o town.osm.pbf`,
    );
  if (size > MAX_BLOB_BYTES) throw damaged(`a block that unpacks to ${size} bytes`);
  try {
    return unzlibSync(zlib, { out: new Uint8Array(size) });
  } catch (error) {
    throw damaged(messageOf(error));
  }
}

function checkFeatures(bytes: Uint8Array): void {
  const needed = readMessage<string[]>(
    bytes,
    (tag, found, pbf) => void (tag === 4 && found.push(pbf.readString())),
    [],
  );
  const unknown = needed.filter((feature) => !FEATURES.has(feature));
  if (unknown.length === 0) return;
  throw new TableError(
    unknown.includes("HistoricalInformation")
      ? historyIn("PBF")
      : `the PBF file needs ${unknown.join(", ")}, which is not supported`,
  );
}

interface PrimitiveBlock {
  readonly strings: Uint8Array[];
  readonly groups: Uint8Array[];
  granularity: number;
  latOffset: number;
  lonOffset: number;
}

const readPrimitiveBlock: ReadField<PrimitiveBlock> = (tag, block, pbf) => {
  if (tag === 1)
    pbf.readMessage(
      (inner, strings: Uint8Array[]) => void (inner === 1 && strings.push(pbf.readBytes())),
      block.strings,
    );
  else if (tag === 2) block.groups.push(pbf.readBytes());
  else if (tag === 17) block.granularity = pbf.readVarint();
  else if (tag === 19) block.latOffset = pbf.readVarint(true);
  else if (tag === 20) block.lonOffset = pbf.readVarint(true);
};

interface Elements {
  readonly nodes: OsmNode[];
  readonly ways: OsmWay[];
  readonly relations: OsmRelation[];
}

function readBlock(bytes: Uint8Array): OsmBlock {
  const block = readMessage<PrimitiveBlock>(bytes, readPrimitiveBlock, {
    strings: [],
    groups: [],
    granularity: 100,
    latOffset: 0,
    lonOffset: 0,
  });
  const decoder = new TextDecoder();
  const texts: string[] = [];
  const text = (index: number): string => (texts[index] ??= decoder.decode(block.strings[index]));
  const elements: Elements = { nodes: [], ways: [], relations: [] };
  const degrees = (offset: number, value: number): number => {
    // 7 decimal places, as OpenStreetMap stores positions
    return Math.round((offset + block.granularity * value) * DEGREES_PER_NANO * 1e7) / 1e7;
  };
  const position = (lat: number, lon: number) => ({
    lat: degrees(block.latOffset, lat),
    lon: degrees(block.lonOffset, lon),
  });
  for (const group of block.groups)
    readMessage<Elements>(
      group,
      (tag, found, pbf) => {
        if (tag === 1) found.nodes.push(readNode(pbf, { text, position }));
        else if (tag === 2) readDense(pbf, { text, position }, found.nodes);
        else if (tag === 3) readWay(pbf, { text, position }, found);
        else if (tag === 4) found.relations.push(readRelation(pbf, text));
      },
      elements,
    );
  return elements;
}

type Text = (index: number) => string;

interface Decoding {
  readonly text: Text;
  readonly position: (lat: number, lon: number) => { readonly lat: number; readonly lon: number };
}

function tagsOf(keys: readonly number[], values: readonly number[], text: Text): OsmTags | undefined {
  if (keys.length === 0) return undefined;
  return Object.fromEntries(keys.map((key, index) => [text(key), text(values[index] ?? 0)]));
}

function readNode(pbf: PbfReader, { text, position }: Decoding): OsmNode {
  const node = { id: 0, keys: [] as number[], values: [] as number[], lat: 0, lon: 0 };
  pbf.readMessage((tag, found) => {
    if (tag === 1) found.id = pbf.readSVarint();
    else if (tag === 2) pbf.readPackedVarint(found.keys);
    else if (tag === 3) pbf.readPackedVarint(found.values);
    else if (tag === 8) found.lat = pbf.readSVarint();
    else if (tag === 9) found.lon = pbf.readSVarint();
  }, node);
  return { id: node.id, ...position(node.lat, node.lon), tags: tagsOf(node.keys, node.values, text) };
}

/** Ids and positions as differences, and the tags of all nodes in one list with 0 after each node. */
function readDense(pbf: PbfReader, { text, position }: Decoding, nodes: OsmNode[]): void {
  const dense = { ids: [] as number[], lats: [] as number[], lons: [] as number[], tags: [] as number[] };
  pbf.readMessage((tag, found) => {
    if (tag === 1) pbf.readPackedSVarint(found.ids);
    else if (tag === 8) pbf.readPackedSVarint(found.lats);
    else if (tag === 9) pbf.readPackedSVarint(found.lons);
    else if (tag === 10) pbf.readPackedVarint(found.tags);
  }, dense);
  let [id, lat, lon, at] = [0, 0, 0, 0];
  for (const [index, step] of dense.ids.entries()) {
    id += step;
    lat += dense.lats[index] ?? 0;
    lon += dense.lons[index] ?? 0;
    let tags: Record<string, string> | undefined;
    for (; at < dense.tags.length && dense.tags[at] !== 0; at += 2) {
      tags ??= {};
      tags[text(dense.tags[at] ?? 0)] = text(dense.tags[at + 1] ?? 0);
    }
    at++;
    nodes.push({ id, ...position(lat, lon), tags });
  }
}

function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** A file of osmium add-locations-to-ways has the positions in its ways, and only nodes with tags. */
function readWay(pbf: PbfReader, { text, position }: Decoding, { nodes, ways }: Elements): void {
  const way = { id: 0, keys: [] as number[], values: [] as number[] };
  const steps = { refs: [] as number[], lats: [] as number[], lons: [] as number[] };
  pbf.readMessage((tag, found) => {
    if (tag === 1) found.id = pbf.readVarint();
    else if (tag === 2) pbf.readPackedVarint(found.keys);
    else if (tag === 3) pbf.readPackedVarint(found.values);
    else if (tag === 8) pbf.readPackedSVarint(steps.refs);
    else if (tag === 9) pbf.readPackedSVarint(steps.lats);
    else if (tag === 10) pbf.readPackedSVarint(steps.lons);
  }, way);
  const [refs, lats, lons] = [sums(steps.refs), sums(steps.lats), sums(steps.lons)];
  for (const [index, lat] of lats.entries())
    nodes.push({ id: refs[index] ?? 0, ...position(lat, lons[index] ?? 0), tags: undefined });
  ways.push({ id: way.id, refs, tags: tagsOf(way.keys, way.values, text) });
}

function readRelation(pbf: PbfReader, text: Text): OsmRelation {
  const relation = {
    id: 0,
    keys: [] as number[],
    values: [] as number[],
    refs: [] as number[],
    types: [] as number[],
  };
  pbf.readMessage((tag, found) => {
    if (tag === 1) found.id = pbf.readVarint();
    else if (tag === 2) pbf.readPackedVarint(found.keys);
    else if (tag === 3) pbf.readPackedVarint(found.values);
    else if (tag === 9) pbf.readPackedSVarint(found.refs);
    else if (tag === 10) pbf.readPackedVarint(found.types);
  }, relation);
  const members = sums(relation.refs).map(
    (ref, index): OsmMember => ({ type: KINDS[relation.types[index] ?? 0] ?? "node", ref }),
  );
  return { id: relation.id, members, tags: tagsOf(relation.keys, relation.values, text) };
}
