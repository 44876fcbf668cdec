/**
 * Objects of OpenStreetMap with a main tag (`mainTag`), as rows of a table.
 * @module
 */
import type { Position } from "../../format/geometry.ts";
import type { Role } from "../../format/own-schema.ts";
import { GeometryFault, type RawGeometry, type RawTable } from "../raw-table.ts";
import type { ColumnType, TableColumn } from "../table.ts";
import { assembleRings, outerRing } from "./assemble-rings.ts";
import type { OsmFile, OsmKind, OsmRelation, OsmTags, OsmWay } from "./elements.ts";
import { isArea, mainTag } from "./main-tags.ts";
import { NodePlaces } from "./node-places.ts";

/** Keys with their own column, besides those with a role. */
const MOST_KEYS = 60;

const CATEGORY = "category";
const MAIN_KEY = "main_key";
const NAMES = "names";
const TAGS = "tags";
/** Columns that are made here: tags with these keys are in the column `tags`. */
const MADE: ReadonlySet<string> = new Set([CATEGORY, MAIN_KEY, NAMES, TAGS, "id"]);

/** Keys that have a role. They have a column wherever the file has them. */
const ROLE_KEYS: readonly (readonly [key: string, role: Role])[] = [
  ["name", "name"],
  ["addr:street", "street"],
  ["addr:place", "street"],
  ["addr:housenumber", "housenumber"],
  ["addr:postcode", "postcode"],
  ["addr:city", "city"],
  ["addr:state", "region"],
  ["addr:full", "address"],
  ["phone", "phone"],
  ["contact:phone", "phone"],
  ["website", "website"],
  ["contact:website", "website"],
  ["url", "website"],
  ["email", "email"],
  ["contact:email", "email"],
  ["opening_hours", "hours"],
  ["image", "image"],
  ["description", "description"],
];
const ROLES = new Map(ROLE_KEYS);

/** `name:fr`, `name:zh-Hant`, `name:sr-Latn`; not `name:etymology`, `name:left`. */
const NAME_IN = /^name:([a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/;

/** Keys about the mapping, not about the object. They are in the column `tags`. */
const ABOUT_MAPPING = /^(source|created_by|note|fixme|FIXME|attribution|import|tiger|check_date|survey|type)(:|$|_)/;

export const OSM_ATTRIBUTION = {
  dataset: "OpenStreetMap",
  license: "ODbL-1.0",
  text: "© OpenStreetMap contributors",
  url: "https://www.openstreetmap.org/copyright",
} as const;

interface OsmColumn extends TableColumn {
  readonly role?: Role;
}

interface OsmRow {
  /** `node/1`, `way/2`, `relation/3`. */
  readonly id: string;
  readonly geometry: RawGeometry;
  readonly values: readonly unknown[];
}

interface OsmRows {
  readonly format: OsmFile["format"];
  readonly columns: readonly OsmColumn[];
  readonly notes: readonly string[];
  /** Objects with a main tag, nodes before ways before relations. */
  rows(): AsyncIterable<OsmRow>;
}

/**
 * Returns the columns of a file of OpenStreetMap, and a function that yields its objects with a main tag as rows. Reads
 * the file once at first, and again for each call of `rows`. Throws `TableError` if it is damaged.
 */
export async function openOsmRows(file: OsmFile): Promise<OsmRows> {
  const places = new NodePlaces();
  const relations: OsmRelation[] = [];
  const keys = new KeyCounts();
  for await (const block of file.blocks()) {
    for (const { id, lon, lat, tags } of block.nodes) {
      places.add(id, lon, lat);
      if (tags) keys.add("node", tags);
    }
    for (const { tags } of block.ways) if (tags) keys.add("way", tags);
    for (const relation of block.relations) {
      if (!relation.tags || !mainTag(relation.tags)) continue;
      keys.add("relation", relation.tags);
      relations.push(relation);
    }
  }
  const columns = keys.columns();
  const values = valuesReader(columns);
  const wanted = new Set(relations.flatMap((one) => (isAssembled(one) ? wayRefs(one) : [])));
  async function* rows(): AsyncGenerator<OsmRow> {
    const members = new Map<number, readonly number[]>();
    for await (const block of file.blocks()) {
      for (const { id, lon, lat, tags } of block.nodes) {
        if (!tags || !mainTag(tags)) continue;
        const isPlace = Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
        const geometry: RawGeometry = isPlace
          ? { type: "Point", coordinates: [lon, lat] }
          : new GeometryFault("not a coordinate", `${lat}, ${lon}`);
        yield { id: `node/${id}`, geometry, values: values(tags) };
      }
      for (const way of block.ways) {
        if (wanted.has(way.id)) members.set(way.id, way.refs);
        if (!way.tags || !mainTag(way.tags)) continue;
        yield { id: `way/${way.id}`, geometry: wayGeometry(way, way.tags, places), values: values(way.tags) };
      }
    }
    for (const relation of relations) {
      const geometry = relationGeometry(relation, { members, places });
      yield { id: `relation/${relation.id}`, geometry, values: values(relation.tags ?? {}) };
    }
  }
  return { format: file.format, columns, notes: [...keys.notes(), ...(file.notes ?? [])], rows };
}

function wayGeometry({ refs, centre }: OsmWay, tags: OsmTags, places: NodePlaces): RawGeometry {
  const { lines, missing } = linesOf(refs, places);
  if (centre && (missing !== undefined || refs.length === 0)) return { type: "Point", coordinates: centre };
  const isClosed = refs.length > 3 && refs[0] === refs.at(-1);
  const [line] = lines;
  if (isClosed && isArea(tags)) {
    if (missing !== undefined) return new GeometryFault("nodes missing", `node ${missing} is not in the file`);
    if (!line || line.length < 4)
      return new GeometryFault("ring with fewer than 4 positions", `${line?.length ?? 0} positions`);
    return { type: "Polygon", coordinates: [outerRing(line)] };
  }
  if (!line && missing !== undefined) return new GeometryFault("nodes missing", `node ${missing} is not in the file`);
  if (!line) return new GeometryFault("line with one position", `${refs.length} nodes`);
  return lines.length === 1
    ? { type: "LineString", coordinates: line }
    : { type: "MultiLineString", coordinates: lines };
}

/** The parts of a way whose nodes are in the file: an extract may end in the middle of a road. */
function linesOf(
  refs: readonly number[],
  places: NodePlaces,
): { readonly lines: readonly (readonly Position[])[]; readonly missing: number | undefined } {
  const lines: Position[][] = [[]];
  let missing: number | undefined;
  for (const ref of refs) {
    const position = places.at(ref);
    if (!position) {
      missing ??= ref;
      lines.push([]);
      continue;
    }
    const before = lines.at(-1)?.at(-1);
    if (before?.[0] !== position[0] || before[1] !== position[1]) lines.at(-1)?.push(position);
  }
  return { lines: lines.filter((line) => line.length > 1), missing };
}

function isAssembled({ tags }: OsmRelation): boolean {
  return tags?.type === "multipolygon" || tags?.type === "boundary";
}

const wayRefs = ({ members }: OsmRelation): number[] =>
  members.filter(({ type }) => type === "way").map(({ ref }) => ref);

interface Parts {
  readonly members: ReadonlyMap<number, readonly number[]>;
  readonly places: NodePlaces;
}

function relationGeometry(relation: OsmRelation, parts: Parts): RawGeometry {
  const area = areaOf(relation, parts);
  const { centre } = relation;
  return area instanceof GeometryFault && centre ? { type: "Point", coordinates: centre } : area;
}

function areaOf(relation: OsmRelation, { members, places }: Parts): RawGeometry {
  if (!isAssembled(relation))
    return new GeometryFault(
      "relation without an area",
      `type=${relation.tags?.type ?? ""}; multipolygon and boundary are areas`,
    );
  const ways: (readonly number[])[] = [];
  for (const { type, ref, refs } of relation.members) {
    if (type !== "way") continue;
    const way = refs ?? members.get(ref);
    if (!way) return new GeometryFault("ways missing", `way ${ref} is not in the file`);
    ways.push(way);
  }
  if (ways.length === 0) return new GeometryFault("ways missing", "the relation has no ways");
  return assembleRings(ways, (node) => places.at(node));
}

const INTEGER = /^-?(0|[1-9]\d{0,14})$/;
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

interface KeyFacts {
  count: number;
  isInteger: boolean;
  isNumber: boolean;
}

/** How often the objects with a main tag have each key, and of which type all of its values are. */
class KeyCounts {
  private readonly keys = new Map<string, KeyFacts>();
  private readonly unreported = new Map<OsmKind, number>();
  private hasNames = false;

  add(kind: OsmKind, tags: OsmTags): void {
    if (!mainTag(tags)) {
      this.unreported.set(kind, (this.unreported.get(kind) ?? 0) + 1);
      return;
    }
    for (const [key, value] of Object.entries(tags)) {
      if (NAME_IN.test(key)) {
        this.hasNames = true;
        continue;
      }
      const facts = this.keys.get(key) ?? { count: 0, isInteger: true, isNumber: true };
      facts.count++;
      facts.isInteger &&= INTEGER.test(value);
      facts.isNumber &&= NUMBER.test(value);
      this.keys.set(key, facts);
    }
  }

  columns(): OsmColumn[] {
    const keys = [...this.keys].filter(([key]) => !MADE.has(key));
    const withRole = ROLE_KEYS.filter(([key]) => this.keys.has(key)).map(
      ([name, role]): OsmColumn => ({ name, type: "text", role }),
    );
    const common = keys
      .filter(([key]) => !ROLES.has(key) && !ABOUT_MAPPING.test(key))
      .sort(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1))
      .slice(0, MOST_KEYS)
      .map(([name, facts]): OsmColumn => ({ name, type: typeOf(facts) }));
    const listed = new Set([...withRole, ...common].map(({ name }) => name));
    const hasOthers = [...this.keys.keys()].some((key) => !listed.has(key));
    return [
      { name: CATEGORY, type: "list", role: "category" },
      { name: MAIN_KEY, type: "text" },
      ...withRole.slice(0, 1),
      ...(this.hasNames ? ([{ name: NAMES, type: "json", role: "names" }] as const) : []),
      ...withRole.slice(1),
      ...common,
      ...(hasOthers ? ([{ name: TAGS, type: "json" }] as const) : []),
    ];
  }

  notes(): string[] {
    const counts = [...this.unreported].map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`);
    return counts.length === 0 ? [] : [`tagged objects without a main tag, which are no rows: ${counts.join(", ")}`];
  }
}

function typeOf({ isInteger, isNumber }: KeyFacts): ColumnType {
  if (isInteger) return "integer";
  return isNumber ? "number" : "text";
}

function valuesReader(columns: readonly OsmColumn[]): (tags: OsmTags) => readonly unknown[] {
  const own = new Set(columns.map(({ name }) => name).filter((name) => !MADE.has(name)));
  return (tags) => {
    const main = mainTag(tags);
    const entries = Object.entries(tags);
    return columns.map(({ name, type }) => {
      if (name === CATEGORY) return main?.categories ?? null;
      if (name === MAIN_KEY) return main?.key ?? null;
      if (name === NAMES) return objectOf(entries.flatMap(([key, value]) => withLanguage(key, value)));
      if (name === TAGS) return objectOf(entries.filter(([key]) => !own.has(key) && !NAME_IN.test(key)));
      const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
      if (value === undefined || value === "") return null;
      return type === "integer" || type === "number" ? Number(value) : value;
    });
  };
}

function withLanguage(key: string, value: string): [string, string][] {
  const language = NAME_IN.exec(key)?.[1];
  return language === undefined ? [] : [[language, value]];
}

function objectOf(entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> | null {
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the rows of `openOsmRows` in memory. Stops after `maxRows` + 1 rows, so that `finishTable` refuses the table.
 * Throws `TableError` if the file is damaged.
 */
export async function readOsm(file: OsmFile, { maxRows }: { readonly maxRows: number }): Promise<RawTable> {
  const { format, columns, notes, rows } = await openOsmRows(file);
  const taken: { readonly geometry: RawGeometry; readonly values: readonly unknown[] }[] = [];
  for await (const { id, geometry, values } of rows()) {
    taken.push({ geometry, values: [id, ...values] });
    // the number that is reported is only known to be larger
    if (taken.length > maxRows) break;
  }
  return {
    format,
    columns: ["id", ...columns.map(({ name }) => name)],
    rows: taken.map(({ geometry, values }, index) => ({ line: index + 1, geometry, values })),
    geometryFrom: "geometry",
    crs: "EPSG:4326",
    notes: [OSM_ATTRIBUTION.text, ...notes],
  };
}
