/** Answers of Overpass in JSON. @see https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL @module */
import type { Position } from "../../format/geometry.ts";
import { TableError } from "../table.ts";
import type { OsmBlock, OsmFile, OsmKind, OsmMember, OsmNode, OsmRelation, OsmTags, OsmWay } from "./elements.ts";

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

/**
 * Returns whether parsed JSON is an answer of Overpass: an object with a list `elements` of nodes, ways and relations.
 */
export function isOsmJson(value: unknown): boolean {
  const { elements, version, osm3s } = membersOf(value);
  if (!Array.isArray(elements)) return false;
  return osm3s !== undefined || version !== undefined || elements.some((one) => kindOf(membersOf(one).type));
}

const kindOf = (type: unknown): OsmKind | undefined =>
  type === "node" || type === "way" || type === "relation" ? type : undefined;

/**
 * Opens the parsed JSON of an answer of Overpass, which must pass `isOsmJson`, as a file of one block. Throws
 * `TableError` for an element that is no node, way or relation with an id.
 */
export function openOsmJson(value: unknown): OsmFile {
  const block = blockOf(membersOf(value).elements as readonly unknown[]);
  return {
    format: "osm-json",
    async *blocks() {
      yield block;
    },
  };
}

/** Reads elements with node ids, and with positions of their own (`out geom`, `out center`). */
function blockOf(elements: readonly unknown[]): OsmBlock {
  const nodes: OsmNode[] = [];
  const ways: OsmWay[] = [];
  const relations: OsmRelation[] = [];
  const places = new Places(nodes);
  const wayIds = new Set<number>();
  for (const [index, element] of elements.entries()) {
    const { type, id, lat, lon, nodes: refs, members, geometry, center, ...rest } = membersOf(element);
    const kind = kindOf(type);
    const number = Number(id);
    if (!kind || !Number.isSafeInteger(number))
      throw new TableError(`element ${index + 1} of the OpenStreetMap JSON is no node, way or relation with an id`);
    const tags = tagsOf(rest.tags);
    const centre = centreOf(membersOf(center));
    if (kind === "node") nodes.push({ id: number, lon: Number(lon), lat: Number(lat), tags });
    else if (kind === "way") {
      wayIds.add(number);
      const own = Array.isArray(geometry) ? geometry : undefined;
      const ids = Array.isArray(refs) ? refs.map(Number) : (own ?? []).map((place) => places.idAt(place));
      if (own && Array.isArray(refs)) for (const [at, place] of own.entries()) places.put(ids[at] ?? 0, place);
      ways.push({ id: number, refs: ids, tags, ...centre });
    } else {
      const all = Array.isArray(members) ? members.map(membersOf) : [];
      relations.push({ id: number, members: all.flatMap(memberOf), tags, ...centre });
      for (const { type: of, ref, geometry: line } of all) {
        if (of !== "way" || !Array.isArray(line) || wayIds.has(Number(ref))) continue;
        wayIds.add(Number(ref));
        ways.push({ id: Number(ref), refs: line.map((place) => places.idAt(place)), tags: undefined });
      }
    }
  }
  return { nodes, ways: withoutTwins(ways), relations };
}

/** A way that is both an element and a member of a relation is one way: the element, which has the tags. */
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

function memberOf({ type, ref }: Members): OsmMember[] {
  const kind = kindOf(type);
  return kind ? [{ type: kind, ref: Number(ref) }] : [];
}

function tagsOf(value: unknown): OsmTags | undefined {
  const entries = Object.entries(membersOf(value));
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
}

/** Nodes of positions that have no id: the same position is the same node, so that rings close. */
class Places {
  private readonly ids = new Map<string, number>();
  private readonly known = new Set<number>();
  private readonly nodes: OsmNode[];
  /** Ids of OpenStreetMap are positive. */
  private next = -1;

  constructor(nodes: OsmNode[]) {
    this.nodes = nodes;
  }

  put(id: number, place: unknown): void {
    const { lat, lon } = membersOf(place);
    if (this.known.has(id) || lat === undefined || lon === undefined) return;
    this.known.add(id);
    this.nodes.push({ id, lon: Number(lon), lat: Number(lat), tags: undefined });
  }

  /** The id of a position; an unknown one for a position outside of the answer's box. */
  idAt(place: unknown): number {
    const { lat, lon } = membersOf(place);
    const key = lat === undefined ? `none ${this.next}` : `${lat} ${lon}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.next--;
    this.ids.set(key, id);
    this.put(id, place);
    return id;
  }
}
