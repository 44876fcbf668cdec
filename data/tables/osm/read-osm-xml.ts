/** OpenStreetMap's XML. @see https://wiki.openstreetmap.org/wiki/OSM_XML @module */
import sax from "sax";
import type { Position } from "../../format/geometry.ts";
import { TableError } from "../table.ts";
import { historyIn, type OsmBlock, type OsmBytes, type OsmFile, type OsmKind, type OsmMember } from "./elements.ts";
import { UnnamedNodes } from "./unnamed-nodes.ts";

/** Bytes that are parsed at a time. */
const CHUNK_BYTES = 4 * 2 ** 20;

/** Returns whether a file that starts with this text is OpenStreetMap XML. */
export function isOsmXml(start: string): boolean {
  return /^[\ufeff\s]*(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<osm[\s>]/i.test(start);
}

/**
 * Opens a file of OpenStreetMap XML. `blocks` reads 4 MiB at a time, and throws `TableError` if the XML is damaged or has several
 * versions of an object.
 */
export function openOsmXml(bytes: OsmBytes): OsmFile {
  return { format: "osm-xml", blocks: () => blocksOf(bytes) };
}

type Member = OsmMember & { refs?: number[] };

interface Open {
  readonly kind: OsmKind;
  readonly id: number;
  readonly lon: number;
  readonly lat: number;
  readonly refs: number[];
  readonly members: Member[];
  centre?: Position;
  tags: Record<string, string> | undefined;
}

async function* blocksOf(bytes: OsmBytes): AsyncGenerator<OsmBlock> {
  let block = { nodes: [], ways: [], relations: [] } as { -readonly [K in keyof OsmBlock]: OsmBlock[K][number][] };
  let open: Open | undefined;
  let fault: Error | undefined;
  let last: { readonly kind: OsmKind; readonly id: number; readonly version: string | undefined } | undefined;
  const unnamed = new UnnamedNodes((node) => block.nodes.push(node));
  // a position is in an answer of Overpass (`out geom`), and in a file of osmium add-locations-to-ways
  const addNode = ({ refs, members }: Open, { ref, lon, lat }: Readonly<Record<string, string>>): void => {
    const [id, x, y] = [Number(ref), Number(lon ?? Number.NaN), Number(lat ?? Number.NaN)];
    const member = members.at(-1);
    if (member) {
      member.refs ??= [];
      member.refs.push(unnamed.idAt(x, y));
    } else if (ref === undefined) refs.push(unnamed.idAt(x, y));
    else {
      refs.push(id);
      if (lon !== undefined && lat !== undefined) block.nodes.push({ id, lon: x, lat: y, tags: undefined });
    }
  };
  const parser = sax.parser(true, { position: true });
  parser.onerror = (error) => {
    fault ??= error;
  };
  parser.onopentag = ({ name, attributes: given }) => {
    const attributes = given as Readonly<Record<string, string>>;
    if (isKind(name)) {
      const [id, lon, lat] = [Number(attributes.id), Number(attributes.lon), Number(attributes.lat)];
      const { version } = attributes;
      // the versions of an object follow each other; Overpass may write one object twice, with and without its version
      const isSame = last?.kind === name && last.id === id;
      const hasVersions = version !== undefined && last?.version !== undefined;
      if (isSame && hasVersions && last?.version !== version) fault ??= new TableError(historyIn("XML"));
      last = { kind: name, id, version };
      // deleted objects of JOSM and of change files
      const isDeleted = attributes.action === "delete" || attributes.visible === "false";
      open = isDeleted ? undefined : { kind: name, id, lon, lat, refs: [], members: [], tags: undefined };
    } else if (!open) return;
    else if (name === "tag") {
      open.tags ??= {};
      open.tags[attributes.k ?? ""] = attributes.v ?? "";
    } else if (name === "center") open.centre = [Number(attributes.lon), Number(attributes.lat)];
    else if (name === "nd") addNode(open, attributes);
    else if (name === "member" && isKind(attributes.type))
      open.members.push({ type: attributes.type, ref: Number(attributes.ref) });
  };
  parser.onclosetag = (name) => {
    if (!open || name !== open.kind) return;
    const { kind, id, lon, lat, refs, members, centre, tags } = open;
    if (kind === "node") block.nodes.push({ id, lon, lat, tags });
    else if (kind === "way") block.ways.push({ id, refs, tags, ...(centre && { centre }) });
    else block.relations.push({ id, members, tags, ...(centre && { centre }) });
    open = undefined;
  };
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    const end = Math.min(bytes.byteLength, start + CHUNK_BYTES);
    const text = decoder.decode(await bytes.read(start, end), { stream: end < bytes.byteLength });
    try {
      parser.write(text);
      if (end === bytes.byteLength) parser.close();
    } catch (error) {
      fault ??= error instanceof Error ? error : new Error(String(error));
    }
    if (fault instanceof TableError) throw fault;
    if (fault) throw new TableError(`the XML is damaged: ${fault.message.replace(/\s*\n\s*/g, ", ")}`);
    yield block;
    block = { nodes: [], ways: [], relations: [] };
  }
}

const isKind = (name: string | undefined): name is OsmKind => name === "node" || name === "way" || name === "relation";
