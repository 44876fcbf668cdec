/**
 * Exact counts of any kind of record, by cells, values, countries or divisions.
 * @module
 */
import * as z from "zod/mini";
import type { Area } from "../../data/format/area.ts";
import { boxRing } from "../../data/format/bbox.ts";
import { COLUMN_FACET, cellBox, cellFacetsOf, columnFacetName } from "../../data/format/cell-levels.ts";
import { collectionIn, type HasCollections } from "../../data/format/own-collections.ts";
import type { CountGroup, CountResult, Dataset } from "../engine/index.ts";
import { CountLimitError } from "../engine/index.ts";
import { limitParameter, type ParameterName, pathParameters } from "./parameters.ts";
import { SEARCH_PATHS, type SearchPath, searchPathsOf } from "./paths.ts";
import { located, outlineOf, type RunOptions } from "./run.ts";
import { ParameterError, type Parameters, parseSearch, readValues, type Search } from "./search.ts";
import { choiceParameter, listParameter, show, textParameter } from "./values.ts";

export const COUNTS_PATH = "/counts";

/** Groups that depend on no column. */
const PLAIN_GROUPS = ["cell", "country", "division"] as const;
/** Names of facets in the data, by their names in requests where these differ. */
const FACET_NAMES: Readonly<Record<string, string>> = { category: "primary" };
const FACET_GROUPS = ["category", "brand", "confidence", "class", "subtype", "level"] as const;

const DEFAULT_CELL_LEVEL = 4;
const MAX_CELL_LEVEL = 6;
const DEFAULT_LIMIT = 1000;

/** Maximum number of divisions that one request counts. Each is a search in an outline. */
const MAX_DIVISIONS = 100;

/** Makes the parameters of counts. In a function, so that a bundle without counts leaves it out. */
function makeParameters() {
  return {
    what: textParameter("what", {
      doc: "What to count: a path of searches without its slash, or a table of the dataset.",
      default: "places",
      example: "places",
      allowed: "the name of a path or a table, given once",
      pattern: /\S/,
      isTrimmed: true,
      parse: (text) => text.replace(/^\//, ""),
    }),
    group: textParameter("group", {
      doc: "What to count by: `cell` (geohash cells), `country`, `division`, `category`, `brand`, `confidence` (in tenths), `class`, `subtype`, `level` (of divisions), or a column of a table that lists its values. Default: only the number of records.",
      example: "category",
      allowed: "the name of a group, given once",
      pattern: /\S/,
      isTrimmed: true,
      parse: (text) => text,
    }),
    level: textParameter("level", {
      doc: `With \`group=cell\`: characters of the geohash, 1 to ${MAX_CELL_LEVEL}, default ${DEFAULT_CELL_LEVEL}. With \`group=division\`: the subtype of the divisions, such as \`region\` or \`county\`.`,
      example: "4",
      allowed: `a number from 1 to ${MAX_CELL_LEVEL}, or a subtype of divisions, given once`,
      pattern: /^\w+$/,
      isTrimmed: true,
      parse: (text) => text,
    }),
    ids: listParameter("ids", {
      doc: `With \`group=division\`: ids of divisions or division areas, at most ${MAX_DIVISIONS}, instead of \`level\`.`,
    }),
    format: choiceParameter("format", ["json", "csv", "geojson"], {
      default: "json",
      doc: "Format of the body. GeoJSON has the outline of each cell, and of each division.",
    }),
    limit: limitParameter(DEFAULT_LIMIT),
  };
}

type OwnSchema = z.ZodMiniObject<ReturnType<typeof makeParameters>, z.core.$strict>;
let ownSchema: OwnSchema | undefined;

/** Parameters of counts alone. */
function parametersOfCounts(): OwnSchema {
  ownSchema ??= z.strictObject(makeParameters());
  return ownSchema;
}

/** Parameters of searches that mean nothing for counts. */
const LEFT_OUT: readonly ParameterName[] = [
  ...["nearest", "includes", "include_geometry", "enrichment_fields", "format", "limit"],
] as readonly ParameterName[];

const countingPaths = new WeakMap<SearchPath, SearchPath>();

/** Returns the path whose parameters select what is counted. Without a location all records are counted. */
function countingPath(path: SearchPath): SearchPath {
  const known = countingPaths.get(path);
  if (known) return known;
  const parameters = [...path.parameters.filter((name) => !LEFT_OUT.includes(name)), "limit"] as ParameterName[];
  const boxed = parameters.includes("bbox") ? parameters : [...parameters, "bbox" as const];
  const made: SearchPath = { ...path, parameters: boxed, isLocationOptional: true };
  countingPaths.set(path, made);
  return made;
}

let documentedSchema: z.ZodMiniObject | undefined;

/** Returns the schema of all parameters of `/counts`, those of every kind of record included, for the OpenAPI document. */
export function countsParameters(): z.ZodMiniObject {
  if (documentedSchema) return documentedSchema;
  const parameters = [...new Set(SEARCH_PATHS.flatMap((path) => countingPath(path).parameters))];
  const { shape } = pathParameters({ parameters });
  documentedSchema = z.strictObject({ ...shape, ...parametersOfCounts().shape }) as z.ZodMiniObject;
  return documentedSchema;
}

/** What to count and by which group, made from parameters. */
export interface Counting {
  readonly search: Search;
  readonly format: "json" | "csv" | "geojson";
  readonly group: CountGroup | DivisionGroup | undefined;
  /** Name of the group, as in the request. */
  readonly groupName: string | undefined;
}

interface DivisionGroup {
  readonly by: "division";
  readonly subtype: string | undefined;
  readonly ids: readonly string[] | undefined;
}

/**
 * Returns what to count: the rows of `what` (default: `places`) that the other parameters select, by default all. `area` is the
 * area of a request's body. Throws `ParameterError` with every fault.
 */
export function parseCounting(manifest: HasCollections, parameters: Parameters, area?: Area): Counting {
  const schema = parametersOfCounts();
  const entries = Object.entries(parameters);
  const own = Object.fromEntries(entries.filter(([name]) => name in schema.shape));
  const others = Object.fromEntries(entries.filter(([name]) => !(name in schema.shape)));
  const { values: read, faults } = readValues(schema, own);
  const values: Partial<z.output<OwnSchema>> = read ?? {};
  const { what = "places", group, level, ids, format = "json", limit = DEFAULT_LIMIT } = values;
  const paths = searchPathsOf(manifest);
  const path = paths.find((known) => known.path === `/${what}`);
  const all = [...faults];
  if (!path) {
    const names = paths.map((known) => known.path.slice(1)).join(", ");
    all.push(`what must be one of ${names}, got ${show(what)}`);
    throw new ParameterError(all);
  }
  let search: Search | undefined;
  try {
    search = parseSearch(countingPath(path), { ...others, limit: String(limit) }, area);
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    all.push(...error.faults);
  }
  const collections = search?.query.collections ?? path.collections;
  const asked = groupAsked(manifest, collections, { group, level, ids }, all);
  if (format === "geojson") all.push(...outlineFaults("format=geojson", group));
  if (all.length > 0 || !search) throw new ParameterError(all);
  return { search, format, ...asked };
}

/** Names of the parameters of `parseGroup`. */
export const GROUP_NAMES = ["group", "level", "ids"] as const;

/**
 * Returns the group by which to count rows of the collections; undefined without `group`. Ignores parameters other than
 * `GROUP_NAMES`. Throws `ParameterError` with every fault.
 */
export function parseGroup(
  manifest: HasCollections,
  collections: readonly string[],
  parameters: Parameters,
): Pick<Counting, "group" | "groupName"> {
  const { group, level, ids } = parametersOfCounts().shape;
  const own = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => GROUP_NAMES.some((each) => each === name)),
  );
  const { values, faults } = readValues(z.strictObject({ group, level, ids }), own);
  const all = [...faults];
  const asked = groupAsked(manifest, collections, values ?? {}, all);
  if (all.length > 0) throw new ParameterError(all);
  return asked;
}

/**
 * Returns a fault if outlines are requested for a group without outlines, otherwise an empty list. `what` names that part of the
 * request in the message.
 */
export function outlineFaults(what: string, group: string | undefined): string[] {
  if (group === "cell" || group === "division") return [];
  return [`${what} needs group=cell or group=division, got ${group === undefined ? "no group" : show(group)}`];
}

interface GroupValues {
  readonly group?: string | undefined;
  readonly level?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

function groupAsked(
  manifest: HasCollections,
  collections: readonly string[],
  { group, level, ids }: GroupValues,
  faults: string[],
): Pick<Counting, "group" | "groupName"> {
  if (ids !== undefined && group !== "division") faults.push("ids needs group=division");
  if (group !== undefined)
    return { group: groupOf(manifest, collections, { group, level, ids }, faults), groupName: group };
  if (level !== undefined) faults.push(`level needs group=cell or group=division, got ${show(level)} alone`);
  return { group: undefined, groupName: undefined };
}

interface GroupAsked {
  readonly group: string;
  readonly level: string | undefined;
  readonly ids: readonly string[] | undefined;
}

function groupOf(
  manifest: HasCollections,
  collections: readonly string[],
  { group, level, ids }: GroupAsked,
  faults: string[],
): Counting["group"] {
  if (group === "country") return { by: "country" };
  if (group === "cell") {
    const chars = level === undefined ? DEFAULT_CELL_LEVEL : Number(level);
    if (!(Number.isInteger(chars) && chars >= 1 && chars <= MAX_CELL_LEVEL))
      faults.push(`level must be a number from 1 to ${MAX_CELL_LEVEL} with group=cell, got ${show(level)}`);
    return { by: "cell", chars };
  }
  if (group === "division") {
    if ((level === undefined) === (ids === undefined))
      faults.push(
        `either level or ids is required with group=division, got ${level === undefined ? "neither" : "both"}`,
      );
    if (ids && ids.length > MAX_DIVISIONS) faults.push(`ids must be at most ${MAX_DIVISIONS} ids, got ${ids.length}`);
    return { by: "division", subtype: level, ids };
  }
  const facets = new Set(
    collections.flatMap((name) => cellFacetsOf(collectionIn(manifest, name)).map((each) => each.name)),
  );
  const wanted = [FACET_NAMES[group] ?? group, columnFacetName(group)];
  const facet = wanted.find((name) => facets.has(name));
  if (level !== undefined) faults.push(`level needs group=cell or group=division, got group=${group}`);
  if (facet !== undefined) return { by: "facet", facet };
  const columns = [...facets].flatMap((name) =>
    name.startsWith(COLUMN_FACET) ? [decodeURIComponent(name.slice(COLUMN_FACET.length))] : [],
  );
  const known = FACET_GROUPS.filter((name) => facets.has(FACET_NAMES[name] ?? name));
  faults.push(`group must be one of ${[...PLAIN_GROUPS, ...known, ...columns].join(", ")} here, got ${show(group)}`);
  return undefined;
}

/** A group of an answer, with its number of records. */
export interface CountedRow {
  readonly key: string;
  readonly rows: number;
  /** Name of a division. Undefined for other groups. */
  readonly name?: string | undefined;
  /** Outline of a cell or a division. Undefined for other groups. */
  readonly outline?: Area | undefined;
}

export interface CountsFound {
  /** All matching records, each once. */
  readonly total: number;
  /** Number of groups on all pages. */
  readonly groups: number;
  readonly rows: readonly CountedRow[];
  readonly release: string;
}

/**
 * Counts the rows of a search. Returns the total and a page of the groups, largest first, cells by geohash. Throws like
 * `runSearch`, and `ParameterError` if counting takes more than allowed.
 */
export async function runCounts(dataset: Dataset, asked: Counting, options: RunOptions = {}): Promise<CountsFound> {
  const { search, group } = asked;
  try {
    return await located(dataset, search, {
      ...options,
      run: async (release, query) => {
        const { collections, circle, area, country, filters, maxTestedRows } = query;
        const plain = {
          collections,
          ...(circle && { circle }),
          ...(area && { area }),
          ...(country && { country }),
          ...(filters && { filters }),
          ...(maxTestedRows !== undefined && { maxTestedRows }),
        };
        const divisions = group?.by === "division";
        const result = await release.count({ ...plain, group: divisions ? undefined : group }, options);
        const { rows, groups } = divisions
          ? await countDivisions(
              release,
              {
                group,
                search: { ...search, query },
                count: (outline) => release.count({ ...plain, areas: [outline] }, options),
              },
              options,
            )
          : rowsOf(result, group, search);
        return { total: result.total, groups, rows, release: result.release };
      },
    });
  } catch (error) {
    if (error instanceof CountLimitError) throw new ParameterError([error.message]);
    throw error;
  }
}

function rowsOf(
  { groups }: CountResult,
  group: CountGroup | undefined,
  { page, limit }: Search,
): Pick<CountsFound, "rows" | "groups"> {
  const rows = groups.slice(page * limit, (page + 1) * limit).map((row): CountedRow => {
    if (group?.by === "cell") return { ...row, outline: outlineOfCell(row.key) };
    const isColumn = group?.by === "facet" && group.facet.startsWith(COLUMN_FACET);
    return isColumn ? { ...row, key: row.key.slice(row.key.indexOf("=") + 1) } : row;
  });
  return { rows, groups: groups.length };
}

const BASE_32 = "0123456789bcdefghjkmnpqrstuvwxyz";

/**
 * Returns the outline of a geohash cell as a Polygon, positions as `[lon, lat]` in degrees. Expects a valid geohash in lower
 * case.
 */
export function outlineOfCell(geohash: string): Area {
  const cell = [...geohash].reduce((bits, char) => bits * 32 + BASE_32.indexOf(char), 0);
  return { type: "Polygon", coordinates: [boxRing(cellBox(cell, 5 * geohash.length))] };
}

interface DivisionCounts {
  readonly group: DivisionGroup;
  readonly search: Search;
  readonly count: (outline: Area) => Promise<CountResult>;
}

/** Counts in the outlines of divisions, several at once. */
async function countDivisions(
  dataset: Dataset,
  { group, search: { query, page, limit }, count }: DivisionCounts,
  options: RunOptions,
): Promise<Pick<CountsFound, "rows" | "groups">> {
  const areas = await areasOf(dataset, { group, query }, options);
  const counted: CountedRow[] = [];
  for (const { id, name, outline } of areas) {
    const { total } = await count(outline);
    counted.push({ key: id, name, rows: total, outline });
  }
  counted.sort((a, b) => b.rows - a.rows || (a.key < b.key ? -1 : 1));
  return { rows: counted.slice(page * limit, (page + 1) * limit), groups: counted.length };
}

interface DivisionArea {
  readonly id: string;
  readonly name: string | undefined;
  readonly outline: Area;
}

async function areasOf(
  dataset: Dataset,
  { group: { subtype, ids }, query }: { readonly group: DivisionGroup; readonly query: Search["query"] },
  options: RunOptions,
): Promise<DivisionArea[]> {
  if (ids) return Promise.all([...new Set(ids)].map((id) => areaOfId(dataset, id, options)));
  const { circle, area, country, filters } = query;
  const found = await dataset.search(
    {
      collections: ["division_area"],
      ...(circle && { circle }),
      ...(area && { area }),
      ...(country && { country }),
      filters: { terms: [[`subtype:${subtype}`]], ...(filters?.bbox ? { bbox: filters.bbox } : {}) },
      offset: 0,
      limit: MAX_DIVISIONS * 2,
    },
    options,
  );
  const land = [...found.features()].filter(({ properties }) => properties.class !== "maritime");
  if (found.total > MAX_DIVISIONS * 2 || land.length > MAX_DIVISIONS) {
    throw new ParameterError([
      `level=${subtype} has ${found.total} divisions here, at most ${MAX_DIVISIONS} are counted: set a country or a smaller area, a higher level, or ids`,
    ]);
  }
  return land.flatMap(({ id, geometry, properties }) => {
    const outline = geometry.type === "Polygon" || geometry.type === "MultiPolygon" ? geometry : undefined;
    return outline ? [{ id: String(properties.division_id ?? id), name: nameIn(properties.names), outline }] : [];
  });
}

async function areaOfId(dataset: Dataset, id: string, options: RunOptions): Promise<DivisionArea> {
  const found = await dataset.find(["division_area", "division"], id, options);
  const outline = await outlineOf(dataset, id, options, "ids");
  return { id, name: nameIn(found?.properties.names), outline };
}

function nameIn(names: unknown): string | undefined {
  const primary = (names as { readonly primary?: unknown } | undefined)?.primary;
  return typeof primary === "string" ? primary : undefined;
}
