/** Answers of Overpass in JSON. @see https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL @module */
import type { Position } from "../../format/geometry.ts";
import { TableError } from "../table.ts";
import type { OsmBlock, OsmFile, OsmKind, OsmMember, OsmNode, OsmRelation, OsmTags, OsmWay } from "./elements.ts";
import { UnnamedNodes } from "./unnamed-nodes.ts";

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

/**
 * Returns whether parsed JSON is an answer of Overpass or of OpenStreetMap's API 0.6: an object with a list
 * `elements` of nodes, ways and relations.
 */
export function isOsmJson(value: unknown): boolean {
  const { elements, version, osm3s } = membersOf(value);
  if (!Array.isArray(elements)) return false;
  return osm3s !== undefined || String(version) === "0.6" || elements.some((one) => kindOf(membersOf(one).type));
}

const kindOf = (type: unknown): OsmKind | undefined =>
  type === "node" || type === "way" || type === "relation" ? type : undefined;

/**
 * Opens the parsed JSON of an answer of Overpass, which must pass `isOsmJson`, as a file of one block. Areas,
 * counts and elements that a query makes are left out, and noted. Throws `TableError` for a node, way or relation
 * without an id, and for an element without a type.
 */
export function openOsmJson(value: unknown): OsmFile {
  const { block, leftOut } = blockOf(membersOf(value).elements as readonly unknown[]);
  const counts = Array.from(leftOut, ([type, count]) => `${count} ${type}`);
  return {
    format: "osm-json",
    ...(counts.length > 0 && {
      notes: [`elements that are no node, way or relation, which are no rows: ${counts.join(", ")}`],
    }),
    async *blocks() {
      yield block;
    },
  };
}

/** Reads elements with node ids, and with positions of their own (`out geom`, `out center`). */
function blockOf(elements: readonly unknown[]): {
  readonly block: OsmBlock;
  /** How many elements of each other type there are. */
  readonly leftOut: ReadonlyMap<string, number>;
} {
  const leftOut = new Map<string, number>();
  const nodes: OsmNode[] = [];
  const ways: OsmWay[] = [];
  const relations: OsmRelation[] = [];
  const unnamed = new UnnamedNodes((node) => nodes.push(node));
  const idAt = (place: unknown): number => {
    const { lon, lat } = placeOf(place);
    return unnamed.idAt(lon, lat);
  };
  const placed = new Set<number>();
  const put = (ref: number, place: unknown): void => {
    const { lon, lat } = placeOf(place);
    if (placed.has(ref) || Number.isNaN(lon) || Number.isNaN(lat)) return;
    placed.add(ref);
    nodes.push({ id: ref, lon, lat, tags: undefined });
  };
  for (const [index, element] of elements.entries()) {
    const { type, id, lat, lon, nodes: refs, members, geometry, center, ...rest } = membersOf(element);
    const kind = kindOf(type);
    if (!kind && typeof type === "string") {
      leftOut.set(type, (leftOut.get(type) ?? 0) + 1);
      continue;
    }
    const number = Number(id);
    if (!kind || !Number.isSafeInteger(number))
      throw new TableError(`element ${index + 1} of the OpenStreetMap JSON is no node, way or relation with an id`);
    const tags = tagsOf(rest.tags);
    const centre = centreOf(membersOf(center));
    if (kind === "node") nodes.push({ id: number, lon: Number(lon), lat: Number(lat), tags });
    else if (kind === "way") {
      const own: readonly unknown[] = Array.isArray(geometry) ? geometry : [];
      const ids = Array.isArray(refs) ? refs.map(Number) : own.map(idAt);
      if (Array.isArray(refs)) for (const [at, place] of own.entries()) put(ids[at] ?? 0, place);
      ways.push({ id: number, refs: ids, tags, ...centre });
    } else {
      const all: readonly unknown[] = Array.isArray(members) ? members : [];
      relations.push({ id: number, members: all.flatMap((one) => memberOf(membersOf(one), idAt)), tags, ...centre });
    }
  }
  return { block: { nodes, ways: withoutTwins(ways), relations }, leftOut };
}

/** A way that several statements of a query put out is one way, with its tags. */
function withoutTwins(ways: readonly OsmWay[]): readonly OsmWay[] {
  const byId = new Map<number, OsmWay>();
  for (const way of ways) {
    const known = byId.get(way.id);
    byId.set(way.id, known && !way.tags ? known : way);
  }
  return byId.size === ways.length ? ways : [...byId.values()];
}

function centreOf({ lon, lat }: Members): { readonly centre?: Position } {
  return typeof lon === "number" && typeof lat === "number" ? { centre: [lon, lat] } : {};
}

function memberOf({ type, ref, geometry }: Members, idAt: (place: unknown) => number): OsmMember[] {
  const kind = kindOf(type);
  if (!kind) return [];
  const hasPlaces = kind === "way" && Array.isArray(geometry);
  return [{ type: kind, ref: Number(ref), ...(hasPlaces && { refs: geometry.map(idAt) }) }];
}

/** Longitude and latitude in degrees; NaN for a position outside of the box of the answer. */
function placeOf(place: unknown): { readonly lon: number; readonly lat: number } {
  const { lon, lat } = membersOf(place);
  return { lon: Number(lon ?? Number.NaN), lat: Number(lat ?? Number.NaN) };
}

function tagsOf(value: unknown): OsmTags | undefined {
  const entries = Object.entries(membersOf(value));
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
}
