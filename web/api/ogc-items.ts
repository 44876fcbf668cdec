/**
 * A page of items as OGC API - Features asks for it, and what a filter may ask of them.
 * @module
 */
import * as z from "zod/mini";
import { type Area, areaOfBox } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FILTER_DOCS } from "../../data/format/filter-docs.ts";
import { FILTERS, type Filter, type FilterName, filterNamed } from "../../data/format/filters.ts";
import {
  choiceParameter,
  nearest,
  numberParameter,
  ParameterError,
  type Parameters,
  parseBBox,
  parseSearch,
  readValues,
  SEARCH_PATHS,
  type Search,
  type SearchPath,
  textParameter,
} from "../search/index.ts";
import { type Condition, type FilterLanguage, parseCql2 } from "./cql2.ts";
import { parseDatetime } from "./ogc-datetime.ts";
import { DEFAULT_ITEMS, MOST_ITEMS } from "./ogc-document.ts";

/** What our own interface has, and this one says in its own words. */
const NOT_TAKEN = ["lat", "lng", "radius", "nearest", "within", "page", "format", "includes", "api_key", "types"];
export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const OWN = ["bbox", "datetime", "limit", "offset", "f", "filter", "filter-lang", "filter-crs"];

/** The path of our own interface that serves the collection. */
function pathOf(name: CollectionName): SearchPath {
  const path = SEARCH_PATHS.find(({ collections, types }) => [...collections, ...(types ?? [])].includes(name));
  if (!path) throw new Error(`no path serves ${name}`);
  return path;
}

/** Parameters of items besides the standard's own: the filters of our interface. */
export function parametersTaken(name: CollectionName): readonly string[] {
  return [...pathOf(name).parameters.filter((parameter) => ![...NOT_TAKEN, ...OWN].includes(parameter))];
}

const LANGUAGES = ["cql2-text", "cql2-json"] as const satisfies readonly FilterLanguage[];

/** The standard's own parameters. A larger `limit` than is given is no fault. */
const itemParameters = z.object({
  bbox: textParameter<BBox>("bbox", {
    doc: "Box that items meet.",
    allowed: "west,south,east,north in degrees with south at most north, or the same with heights",
    parse: (text) => parseBBox(withoutHeights(text)),
  }),
  datetime: textParameter("datetime", {
    doc: "Items have no times: all of them match.",
    allowed:
      "an instant such as 2018-02-12T23:20:50Z, or an interval such as 2018-02-12T00:00:00Z/2018-03-18T12:31:12Z of which one end may be ..",
    parse: parseDatetime,
  }),
  limit: numberParameter("limit", { min: 1, integer: true, doc: "Most items of a page." }),
  offset: numberParameter("offset", { min: 0, integer: true, doc: "Items before the first one wanted." }),
  f: choiceParameter("f", ["json", "geojson"], { doc: "Format of the answer." }),
  filter: textParameter("filter", { doc: "Conditions in CQL2.", allowed: "CQL2, given once", parse: (text) => text }),
  "filter-lang": choiceParameter("filter-lang", LANGUAGES, { doc: "Language of `filter`." }),
  "filter-crs": choiceParameter("filter-crs", [CRS84], { doc: "Coordinates of `filter`." }),
});

export interface Items {
  readonly search: Search;
  readonly limit: number;
  readonly offset: number;
}

/** The search of a collection. Throws `ParameterError` with every fault. */
export function parseItems(name: CollectionName, parameters: Parameters): Items {
  const path = pathOf(name);
  const taken = [...OWN, ...parametersTaken(name), "api_key"];
  const unknown = Object.keys(parameters).filter((given) => !taken.includes(given));
  const { values, faults } = readValues(itemParameters, parameters);
  const all = [
    ...faults,
    ...unknown.map((given) => `${JSON.stringify(given)} is not a parameter here; there are ${taken.join(", ")}`),
  ];
  if (values === undefined || all.length > 0) throw new ParameterError(all);
  const sent = Object.fromEntries(Object.entries(parameters).filter(([given]) => !OWN.includes(given)));
  const { bbox, limit: most = DEFAULT_ITEMS, offset = 0, filter, "filter-lang": language = "cql2-text" } = values;
  const asked = filter === undefined ? {} : askedBy(parseCql2(filter, language), name);
  const twice = Object.keys(asked.parameters ?? {}).filter((given) => given in sent);
  if (bbox && asked.area) twice.push("bbox with S_INTERSECTS");
  if (twice.length > 0) throw new ParameterError(twice.map((given) => `one of them is taken: ${given} and filter`));
  const types = path.types ? { types: name } : {};
  const search = parseSearch(path, { ...sent, ...asked.parameters, ...types }, WORLD);
  const { area: _, ...query } = search.query;
  const limit = Math.min(most, MOST_ITEMS);
  const area = bbox ? areaOfBox(bbox) : asked.area;
  // without an area items come by their ids
  const place = area ? { area } : { filters: query.filters ?? {} };
  return { limit, offset, search: { ...search, query: { ...query, ...place, offset, limit } } };
}

/** A property that a filter may name: the parameter that says the same, and how. */
interface Queryable {
  readonly parameter: string;
  readonly ops: readonly Condition["op"][];
  readonly schema: object;
}

function queryablesBy(name: CollectionName): ReadonlyMap<string, Queryable> {
  const country = { type: "string", description: "ISO 3166-1 alpha-2; =." };
  const taken = pathOf(name).parameters.filter((parameter): parameter is FilterName => parameter in FILTERS);
  return new Map<string, Queryable>([
    ["country", { parameter: "country", ops: ["="], schema: country }],
    ...taken.flatMap((parameter): [string, Queryable][] => {
      const filter = filterNamed(parameter);
      // its words begin words of names, which no comparison of CQL2 says
      if (filter.kind === "words") return [];
      const ops = OPS[filter.kind];
      const description = `${FILTER_DOCS[parameter].replace(/;? any of them\.$/, ".")} ${ops.join(", ").toUpperCase()}.`;
      const schema = { ...schemaOf(filter), description };
      return [[filter.kind === "least" ? filter.column : parameter, { parameter, ops, schema }]];
    }),
  ]);
}

const OPS: Readonly<Record<Exclude<Filter["kind"], "words">, readonly Condition["op"][]>> = {
  text: ["="],
  list: ["=", "in"],
  choices: ["=", "in"],
  integers: ["=", "in"],
  least: [">="],
};

function schemaOf(filter: Filter): object {
  if (filter.kind === "choices") return { type: "string", enum: filter.choices };
  if (filter.kind !== "integers" && filter.kind !== "least") return { type: "string" };
  return { type: filter.kind === "least" ? "number" : "integer", minimum: filter.min, maximum: filter.max };
}

/** What a filter may ask for, as properties of a JSON schema. */
export function queryablesOf(name: CollectionName): Readonly<Record<string, object>> {
  const geometry = { format: "geometry-any", description: "S_INTERSECTS with a polygon or a box." };
  return Object.fromEntries([
    ["geometry", geometry],
    ...Array.from(queryablesBy(name), ([property, { schema }]) => [property, schema]),
  ]);
}

/** The conditions as parameters of our own interface, whose faults they then have. */
function askedBy(
  conditions: readonly Condition[],
  name: CollectionName,
): { readonly parameters?: Parameters; readonly area?: Area } {
  const queryables = queryablesBy(name);
  const parameters = new Map<string, readonly string[]>();
  let area: Area | undefined;
  for (const condition of conditions) {
    const { op, property } = condition;
    if (op === "s_intersects") {
      if (property !== "geometry") throw fault(`S_INTERSECTS takes geometry, got ${property}`);
      if (area) throw fault("S_INTERSECTS may stand once, got two");
      area = condition.area;
      continue;
    }
    const queryable = queryables.get(property);
    if (!queryable) {
      const known = [...queryables.keys()];
      throw fault(`${property} is not a property here; the nearest is ${nearest(property, known)}`);
    }
    const allowed = queryable.ops.join(" or ").toUpperCase();
    if (!queryable.ops.includes(op)) throw fault(`${property} takes ${allowed}, got ${op.toUpperCase()}`);
    if (parameters.has(queryable.parameter)) throw fault(`${property} may stand once, got two`);
    const values = condition.values.map(String);
    const split = values.find((value) => queryable.ops.includes("in") && value.includes(","));
    if (split !== undefined) throw fault(`a value of ${property} has no comma, got ${split}`);
    parameters.set(queryable.parameter, values);
  }
  const plain = Array.from(parameters, ([given, values]) => [given, values.length === 1 ? (values[0] ?? "") : values]);
  return { parameters: Object.fromEntries(plain), ...(area ? { area } : {}) };
}

function fault(line: string): ParameterError {
  return new ParameterError([`filter: ${line}`]);
}

/** Of six numbers the four without heights, which say nothing here. */
function withoutHeights(text: string): string {
  const parts = text.split(",");
  return parts.length === 6 ? [0, 1, 3, 4].map((i) => parts[i]).join(",") : text;
}

/** Stands for the place that our interface asks for. */
const WORLD = areaOfBox([-180, -90, 180, 90]);
