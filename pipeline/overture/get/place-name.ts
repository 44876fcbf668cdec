/**
 * Finds the division of a release that a place name means.
 * @module
 */
import { createAreaTest } from "../../../data/format/area-test.ts";
import { newFile } from "../../../data/parquet/index.ts";
import { atATime, type OpenedFile, openParquet } from "../../../data/release/index.ts";
import { quoteLiteral } from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type AreaFilter, joinAreas, polygonFilter } from "../area/index.ts";
import { askColumns } from "./fetch-file.ts";
import { areasOfDivisions, type DivisionShape, type OutlineOptions } from "./outlines.ts";

/** A division whose name matches. */
export interface NamedDivision {
  readonly id: string;
  readonly name: string;
  readonly subtype: string;
  readonly country: string | undefined;
  readonly region: string | undefined;
  readonly population: number | undefined;
  /** Longitude of the middle of the box of the division's point, in degrees. */
  readonly lon: number;
  readonly lat: number;
}

/** Subtypes of towns: a town wins over a county or country of the same name. */
const TOWNS = new Set(["locality", "localadmin"]);

/**
 * A division with this many times the people of the next one wins: Paris in France over Paris in Texas (25,000 people).
 */
const TIMES_LARGER = 10;

const MOST_SHOWN = 12;

const FILES_AT_A_TIME = 8;

/**
 * Returns the area of the division with a name, such as `Monaco`. The country, a region or a parent may follow:
 * `Springfield, US-IL`, `Springfield, Illinois`. Throws if the name is unknown or ambiguous, or if the release has no
 * area of the division. Calls `onNotice` with the chosen division.
 */
export async function placeArea(text: string, options: OutlineOptions): Promise<AreaFilter> {
  const release = `release ${options.release.name}`;
  const found = await findDivisions(text, options);
  if (found.length === 0)
    throw new CodedError("CAIRN_E_AREA", `place ${text}: no division of ${release} has this name`);
  const shapes = await areasOfDivisions(found, options);
  const candidates = withoutCovered(found, shapes);
  const chosen = choose(candidates, text);
  if (!chosen) {
    for (const line of tell(candidates, shapes)) options.onNotice(line);
    throw new CodedError(
      "CAIRN_E_AREA",
      `place ${text}: ${candidates.length} divisions match: add the country or region (${exampleOf(candidates, text)}), or choose one with --division <id>`,
    );
  }
  const mine = shapes.get(chosen.id);
  if (!mine) {
    if (candidates.length > 1) for (const line of tell(candidates, shapes)) options.onNotice(line);
    throw new CodedError(
      "CAIRN_E_AREA",
      `place ${text}: ${release} has no area of ${sayDivision(chosen)}: ${insteadOf(chosen)}`,
    );
  }
  options.onNotice(`${text} is ${sayDivision(chosen)}`);
  return polygonFilter(`division ${chosen.id}`, joinAreas(mine));
}

/** Returns the divisions without duplicates: those without an area whose point is in the area of another one. */
function withoutCovered(found: readonly NamedDivision[], shapes: ReadonlyMap<string, DivisionShape>): NamedDivision[] {
  const tests = [...shapes.values()].map((areas) => createAreaTest(joinAreas(areas)));
  return found.filter(({ id, lon, lat }) => shapes.has(id) || !tests.some((test) => test.contains(lon, lat)));
}

/**
 * Returns the division that a name means. Towns win over all others. Of several, one with ten times the people of the
 * next wins, otherwise the only one with the exact spelling. Undefined if none wins.
 */
export function choose(candidates: readonly NamedDivision[], text: string): NamedDivision | undefined {
  const towns = candidates.filter(({ subtype }) => TOWNS.has(subtype));
  const sorted = bySize(towns.length > 0 ? towns : candidates);
  const [first, second] = sorted;
  if (!first || !second) return first;
  const people = first.population ?? 0;
  if (people > 0 && people >= TIMES_LARGER * (second.population ?? 0)) return first;
  const same = sorted.filter(({ name }) => name === nameOf(text));
  return same.length === 1 ? same[0] : undefined;
}

function bySize(divisions: readonly NamedDivision[]): NamedDivision[] {
  return [...divisions].sort((a, b) => (b.population ?? 0) - (a.population ?? 0) || (a.id < b.id ? -1 : 1));
}

function nameOf(text: string): string {
  return text.split(",")[0]?.trim() ?? "";
}

function sayDivision({ id, name, subtype, country, region, population }: NamedDivision): string {
  const people = population === undefined ? [] : [`${population.toLocaleString("en")} people`];
  return [name, ...[region ?? country ?? []].flat(), subtype, ...people, `division ${id}`].join(", ");
}

function tell(candidates: readonly NamedDivision[], shapes: ReadonlyMap<string, DivisionShape>): string[] {
  const sorted = bySize(candidates);
  const lines = sorted
    .slice(0, MOST_SHOWN)
    .map((one) => `  ${sayDivision(one)}${shapes.has(one.id) ? "" : `, no area: ${insteadOf(one)}`}`);
  return sorted.length > MOST_SHOWN ? [...lines, `  and ${sorted.length - MOST_SHOWN} more`] : lines;
}

function exampleOf(candidates: readonly NamedDivision[], text: string): string {
  const [first] = bySize(candidates);
  return `${nameOf(text)}, ${first?.region ?? first?.country ?? "MC"}`;
}

/** About five kilometres to each side. */
const AROUND_DEG = 0.05;

function insteadOf({ lon, lat }: NamedDivision): string {
  const around = Math.min(AROUND_DEG / Math.max(Math.cos((lat * Math.PI) / 180), 0.1), 0.5);
  const onGlobe = (x: number): number => (x > 180 ? x - 360 : x < -180 ? x + 360 : x);
  const box = [
    onGlobe(lon - around),
    Math.max(lat - AROUND_DEG, -90),
    onGlobe(lon + around),
    Math.min(lat + AROUND_DEG, 90),
  ];
  return `try --bbox ${box.map((x) => x.toFixed(2)).join(",")}`;
}

const COLUMNS = ["subtype", "country", "region", "population", "hierarchies", "bbox"] as const;

/**
 * Returns all divisions with the name in any language, without regard to case and accents. A country, region or parent
 * may follow the name after a comma. Throws if the release has no divisions.
 */
export async function findDivisions(text: string, options: OutlineOptions): Promise<NamedDivision[]> {
  const collection = options.release.collections.find(({ type }) => type === "division");
  if (!collection)
    throw new CodedError(
      "CAIRN_E_AREA",
      `place ${text}: release ${options.release.name} has no divisions to look for it`,
    );
  const files = await collection.files(() => true);
  const opened = await atATime(files, FILES_AT_A_TIME, ({ addresses }) => openParquet(options.remote, addresses));
  const bytes = opened.reduce(
    (sum, { metadata }) => sum + newFile(metadata, groupsOf(metadata), { columns: NAMED }).byteLength,
    0,
  );
  options.onNotice(`looking for ${text} among the names of all divisions, ${(bytes / 1e6).toFixed(1)} MB`);
  const found: NamedDivision[] = [];
  for (const file of opened) found.push(...(await divisionsIn(file, text, options)));
  return found;
}

const NAMED = ["id", "names"];

function groupsOf({ row_groups }: OpenedFile["metadata"]): number[] {
  return row_groups.map((_, index) => index);
}

/** Returns the matching divisions of a file. Reads only ids and names of row groups without a match. */
async function divisionsIn(file: OpenedFile, text: string, options: OutlineOptions): Promise<NamedDivision[]> {
  const has = new Set(file.metadata.schema.map(({ name }) => name));
  const columns = COLUMNS.filter((name) => has.has(name));
  const of = (name: (typeof COLUMNS)[number], type: string) => (has.has(name) ? name : `NULL::${type}`);
  const hits = await atATime(groupsOf(file.metadata), FILES_AT_A_TIME, async (group) => {
    const sql = (from: string): string => `SELECT 1 FROM ${from} WHERE ${anyNamed(text)} LIMIT 1`;
    const rows = await askColumns(file, options, { groups: [group], columns: NAMED, sql });
    return rows.length > 0 ? [group] : [];
  });
  if (hits.flat().length === 0) return [];
  const rows = await askColumns<Record<keyof NamedDivision, string | number | null>>(file, options, {
    groups: hits.flat(),
    columns: [...NAMED, ...columns],
    sql: (from) => `
      SELECT id, names."primary" AS name, subtype, country, ${of("region", "VARCHAR")} AS region, ${of("population", "INTEGER")} AS population,
        (bbox.xmin + bbox.xmax) / 2 AS lon, (bbox.ymin + bbox.ymax) / 2 AS lat
      FROM ${from} WHERE ${isNamed(text, of("region", "VARCHAR"), of("hierarchies", 'STRUCT("name" VARCHAR)[][]'))} ORDER BY id`,
  });
  return rows.map((row) => ({
    id: String(row.id),
    name: String(row.name),
    subtype: String(row.subtype),
    country: row.country === null ? undefined : String(row.country),
    region: row.region === null ? undefined : String(row.region),
    population: row.population === null ? undefined : Number(row.population),
    lon: Number(row.lon),
    lat: Number(row.lat),
  }));
}

/** Returns SQL for a text without case, accents and outer spaces. */
function keySql(text: string): string {
  return `strip_accents(lower(trim(${text})))`;
}

function hasName(name: string): string {
  const key = keySql(quoteLiteral(name));
  return `(${keySql('names."primary"')} = ${key}
    OR coalesce(list_contains(list_transform(map_values(names.common), lambda n: ${keySql("n")}), ${key}), false)
    OR coalesce(list_contains(list_transform(names.rules, lambda r: ${keySql('r."value"')}), ${key}), false))`;
}

/** Returns a SQL condition for divisions whose name is the whole text, or the text before its first comma. */
function anyNamed(text: string): string {
  return text.includes(",") ? `(${hasName(text)} OR ${hasName(nameOf(text))})` : hasName(text);
}

/**
 * Returns a SQL condition for divisions with the name. A part after a comma is a country code, a region code, or the
 * name of a parent division.
 */
function isNamed(text: string, region: string, hierarchies: string): string {
  const [, ...within] = text.split(",").map((part) => part.trim());
  if (within.length === 0) return hasName(text);
  const conditions = within.map((part) => {
    const code = quoteLiteral(part.toUpperCase());
    const names = `list_transform(flatten(${hierarchies}), lambda h: ${keySql('h."name"')})`;
    return `(upper(country) = ${code} OR upper(${region}) = ${code} OR split_part(upper(${region}), '-', 2) = ${code}
      OR list_contains(${names}, ${keySql(quoteLiteral(part))}))`;
  });
  return `(${hasName(text)} OR (${hasName(nameOf(text))} AND ${conditions.map((one) => `coalesce(${one}, false)`).join(" AND ")}))`;
}
