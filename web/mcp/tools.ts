/**
 * The eight tools of an agent. Answers are short, because an agent pays per word.
 * @module
 */
import { z } from "zod";
import { type Area, areaOfBox } from "../../data/format/area.ts";
import { isOwnName } from "../../data/format/own-collections.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Dataset, Feature } from "../engine/index.ts";
import { AUTOCOMPLETE_PATH, nameOf, parseReverse, parseText, positionOf, runReverse } from "../geocode/index.ts";
import {
  COUNT_PATHS,
  findRecord,
  ParameterError,
  type Parameters,
  parseCounting,
  parseSearch,
  runCount,
  runCounts,
  runSearch,
  SEARCH_PATHS,
  type SearchPath,
  searchPathsOf,
  sentAs,
} from "../search/index.ts";
import { argumentsOf, booleanLike, categoriesOf, countryLike, kindLike, listLike, numberLike } from "./arguments.ts";
import { lineOf, pointText } from "./line.ts";

const WHAT = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
const DEFAULT_LIMIT = 10;
const MOST = 100;
/** Maximum length of words, like that of texts in the REST interface. */
const MOST_WORDS_CHARS = 200;

const lat = numberLike(z.number().min(-90).max(90));
const lng = numberLike(z.number().min(-180).max(180));
const language = z.string().optional().describe("of names, such as fr");
const limit = numberLike(z.number().int().min(1).max(MOST)).optional();
const country = countryLike(z.string()).optional().describe("two letters; several with commas");
const radius = numberLike(z.number().min(1), { isLength: true }).optional();
const cursor = z.string().optional().describe("cursor of the previous answer, for the next page");
const what = kindLike(z.string())
  .optional()
  .describe(`one of ${WHAT.join(", ")}, or a table of \`describe\`; default: places`);
const filters = {
  what,
  name: z.string().optional().describe("prefixes of words of the name"),
  categories: listLike(z.array(z.string()))
    .optional()
    .describe("of places, any of them; `categories` finds their names"),
  has_contact: listLike(z.array(z.enum(["website", "phone", "email", "social"]))).optional(),
  min_confidence: numberLike(z.number().min(0).max(1)).optional(),
  columns: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("of a table: its parameters, such as Price_min"),
  limit,
  cursor,
  ids: booleanLike(z.boolean()).optional().describe("add each record's id, for `get`"),
};
const listed = {
  total: z.number().describe("on all pages"),
  records: z.array(z.string()).describe("name; kind; distance; address; lat,lng"),
  cursor: z.string().optional(),
};

interface Asked {
  readonly what?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly ids?: boolean | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly columns?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly [name: string]: unknown;
}

/** The dataset that a tool searches, and the signal of its caller. */
interface Context {
  readonly dataset: Dataset;
  readonly signal: AbortSignal;
}

/** An answer of a tool, without its credits. `shown` are the records in it; undefined if they are not known. */
interface ToolResult extends Readonly<Record<string, unknown>> {
  readonly shown?: readonly Feature[];
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodRawShape;
  /** Answers arguments that `input` has parsed. Throws `ParameterError` for arguments that it refuses. */
  run(asked: unknown, context: Context): Promise<ToolResult>;
}

interface ToolOf<Input extends z.ZodRawShape> extends Omit<Tool, "input" | "run"> {
  readonly input: Input;
  run(asked: z.output<z.ZodObject<Input>>, context: Context): Promise<ToolResult>;
}

/** Returns the tool with a strict schema of its arguments, and with `attribution` in the schema of its answer. */
function tool<Input extends z.ZodRawShape>(made: ToolOf<Input>): Tool {
  return { ...made, input: argumentsOf(made.input), output: { ...made.output, attribution: z.string() } };
}

/** The tools, in the order in which agents see them. */
export const TOOLS: readonly Tool[] = [
  tool({
    name: "find",
    description:
      "What a text means: towns, countries, places, streets, addresses, categories of places, or a position (plus code, geohash, map link, degrees). Misspellings are corrected.",
    input: {
      text: z.string(),
      lat: lat.optional().describe("nearer results rank higher"),
      lng: lng.optional(),
      country,
      language,
      limit,
    },
    output: {
      found: z
        .array(z.string())
        .describe("kind or table; name; where; lat,lng; id; unused: words of the text that it does not use"),
    },
    async run(asked, { dataset, signal }) {
      const { query } = parseText(AUTOCOMPLETE_PATH, sentAs({ ...asked, limit: Math.min(asked.limit ?? 5, 50) }));
      const point = await positionOf(dataset, query, { signal });
      if (point) return { found: [`position; ${pointText(point.lat, point.lon)}`] };
      const found = await dataset.suggest(query, { signal });
      return {
        found: found.map(({ kind, collection, name, detail, country, lat: y, lon: x, id, unused }) =>
          [
            ...[
              isOwnName(collection) ? collection : kind,
              name,
              ...(detail === "" ? [] : [detail]),
              country,
              pointText(y, x),
              id,
            ],
            ...(unused.length === 0 ? [] : [`unused: ${unused.join(" ")}`]),
          ].join("; "),
        ),
      };
    },
  }),
  tool({
    name: "reverse",
    description: "What is at a point: nearest address, street and place, and the divisions that contain it.",
    input: { lat, lng, language },
    output: {
      label: z.string(),
      nearest: z.array(z.string()),
      divisions: z.array(z.string()).describe("widest first: name; subtype; division id, for `in_area`"),
    },
    async run(asked, { dataset, signal }) {
      const { label, address, street, place, divisions } = await runReverse(dataset, parseReverse(sentAs(asked)), {
        signal,
      });
      const near = [address, street, place].filter((record) => record !== null);
      return {
        label,
        nearest: near.map((record) => lineOf(record, { hasId: false, language: asked.language })),
        divisions: divisions.map((division) => {
          const { id, properties } = division;
          const name = nameOf(division, asked.language) ?? "unnamed";
          return `${name}; ${properties.subtype}; ${properties.division_id ?? id}`;
        }),
      };
    },
  }),
  tool({
    name: "near",
    description: "Records around a point, nearest first: within a radius, or the nearest at any distance.",
    input: {
      lat,
      lng,
      radius: radius.describe("metres, default 1000"),
      nearest: numberLike(z.number().int().min(1)).optional().describe("this number of records instead of a radius"),
      ...filters,
    },
    output: listed,
    run: ({ lat: y, lng: x, radius: meters, nearest, ...asked }, { dataset, signal }) =>
      list(asked, sentAs({ lat: y, lng: x, radius: meters, nearest }), { dataset, signal }),
  }),
  tool({
    name: "in_area",
    description: "Records in exactly one of a division, a box or a country.",
    input: {
      division: z.string().optional().describe("id, by `find` or `reverse`"),
      bbox: listLike(z.array(numberLike(z.number())).length(4))
        .optional()
        .describe("west, south, east, north"),
      country,
      ...filters,
    },
    output: listed,
    async run({ division, bbox, country: code, ...asked }, { dataset, signal }) {
      if ([division, bbox, code].filter((each) => each !== undefined).length !== 1)
        throw new ParameterError(["give one of division, bbox and country"]);
      return list(asked, sentAs({ within: division, country: code }), { dataset, signal, area: bbox && areaOf(bbox) });
    },
  }),
  tool({
    name: "get",
    description: "All properties of one record.",
    input: { id: z.string(), what },
    output: { record: z.record(z.string(), z.unknown()) },
    async run({ id, what: kind }, { dataset, signal }) {
      const path = await pathOf(dataset, kind, signal);
      const record = await findRecord(dataset, path, id, { signal });
      if (!record)
        throw new ParameterError([`${JSON.stringify(id)} is not the id of a record of ${path.path.slice(1)}`]);
      const [x, y] = representativePoint(record.geometry) ?? [];
      return { shown: [record], record: { ...record.properties, ...(x === undefined ? {} : { lat: y, lng: x }) } };
    },
  }),
  tool({
    name: "categories",
    description:
      "Names of place categories for words such as coffee or a need such as toothache, best first, and the number of places with each as their primary one.",
    input: {
      words: z.string().max(MOST_WORDS_CHARS).optional().describe("default: all, most places first"),
      country,
      language: language.describe("of the words; default: en, then all others"),
      limit,
    },
    output: {
      categories: z.array(z.string()).describe("name; places; unused: words that it does not explain"),
    },
    async run({ words = "", country: code, language: spoken, limit: most = DEFAULT_LIMIT }, { dataset, signal }) {
      const search = parseSearch(countPath("category"), sentAs({ country: code, limit: MOST_GROUPS }));
      const { groups } = await runCount(dataset, countPath("category"), search, { signal });
      const counted = groups.map(({ value, rows }) => ({ id: String(value), rows }));
      const asked = { text: words.replaceAll("_", " "), language: spoken, categories: counted };
      const meant =
        words.trim() === ""
          ? counted.map((each) => ({ ...each, unused: [] }))
          : await dataset.categoriesMeant(asked, { signal });
      return {
        categories: meant
          .slice(0, most)
          .map(({ id, rows, unused }) =>
            [`${id}; ${rows}`, ...(unused.length > 0 ? [`unused: ${unused.join(" ")}`] : [])].join("; "),
          ),
      };
    },
  }),
  tool({
    name: "counts",
    description:
      "Exact counts of records, in all or by a value, by geohash cells or by divisions: around a point, in a division, a box, a country, or everywhere.",
    input: {
      what,
      by: z
        .string()
        .optional()
        .describe(
          "category, brand, country, cell, division, confidence, class, subtype, or a column of a table; default: only the number of records",
        ),
      level: z
        .string()
        .optional()
        .describe("of cell: characters of the geohash, 1 to 6; of division: region or county"),
      lat: lat.optional(),
      lng: lng.optional(),
      radius,
      division: z.string().optional().describe("id, by `find` or `reverse`"),
      bbox: listLike(z.array(numberLike(z.number())).length(4))
        .optional()
        .describe("west, south, east, north"),
      country,
      categories: filters.categories,
      min_confidence: filters.min_confidence,
      limit,
    },
    output: {
      records: z.number().optional().describe("matching records"),
      total: z.number().describe("groups"),
      groups: z.array(z.string()).describe("name; records"),
    },
    async run(
      { by, what: kind, division, bbox, categories, limit: most = DEFAULT_LIMIT, ...asked },
      { dataset, signal },
    ) {
      const conditions = { ...asked, categories: categories && categoriesOf(categories), limit: most };
      const ofPlaces = COUNT_PATHS.find((known) => known.by === by);
      // with the spelling of brands
      if (ofPlaces && (kind ?? "places") === "places" && division === undefined && bbox === undefined) {
        const search = parseSearch(ofPlaces, sentAs(conditions));
        const { total, groups } = await runCount(dataset, ofPlaces, search, { signal });
        return { total, groups: groups.map(({ value, rows }) => `${nameOfGroup(value)}; ${rows}`) };
      }
      const sent = sentAs({ what: kind, group: by, within: division, bbox: bbox?.join(","), ...conditions });
      const found = await runCounts(dataset, parseCounting(await dataset.manifest(signal), sent), { signal });
      const groups = found.rows.map(
        ({ key, name, rows }) => `${name === undefined ? key : `${name} (${key})`}; ${rows}`,
      );
      return { records: found.total, total: found.groups, groups };
    },
  }),
  tool({
    name: "describe",
    description: "Contents of the dataset: release, rows of each type, countries of its places, its tables.",
    input: {},
    output: {
      release: z.string(),
      rows: z.record(z.string(), z.number()),
      countries: z.array(z.string()).describe("of places, largest first"),
      tables: z.array(z.string()).describe("name, for `what`; its columns"),
    },
    async run(_, { dataset, signal }) {
      const { release, collections } = await dataset.manifest();
      const search = parseSearch(countPath("country"), sentAs({ limit: MOST }));
      const { groups } = collections.place
        ? await runCount(dataset, countPath("country"), search, { signal })
        : { groups: [] };
      const rows = Object.fromEntries(Object.entries(collections).map(([name, { rows: count }]) => [name, count]));
      const tables = Object.entries(collections).flatMap(([name, { schema }]) =>
        schema ? [`${name}; ${schema.columns.map((column) => column.name).join(", ")}`] : [],
      );
      return { release, rows, countries: groups.map(({ value }) => String(value)), tables };
    },
  }),
];

/** Returns a page of records in a location, as all tools with records answer. */
async function list(
  asked: Asked,
  location: Parameters,
  { dataset, signal, area }: Context & { readonly area?: Area | undefined },
): Promise<ToolResult> {
  const { what: kind, limit: most = DEFAULT_LIMIT, cursor: from, ids = false, columns, ...conditions } = asked;
  const path = await pathOf(dataset, kind, signal);
  const { page, ...continued } = pageOf(from);
  const categories = conditions.categories && categoriesOf(conditions.categories);
  const search = parseSearch(
    path,
    sentAs({ ...columns, ...location, ...conditions, ...continued, categories, limit: most, page }),
    area,
  );
  const result = await runSearch(dataset, search, { signal });
  const { release } = result.report;
  const shown = [...result.features()];
  const records = shown.map((feature) => lineOf(feature, { hasId: ids }));
  const isLast = (page + 1) * most >= result.total;
  return { shown, total: result.total, records, ...(isLast ? {} : { cursor: `${release}.${page + 1}` }) };
}

/** More categories than Overture has. */
const MOST_GROUPS = 25_000;

/** Returns the path of the kind, or of the table with this name. */
async function pathOf(dataset: Dataset, kind: string | undefined, signal: AbortSignal): Promise<SearchPath> {
  const tables = searchPathsOf(await dataset.manifest(signal)).filter(({ own }) => own);
  const named = [...SEARCH_PATHS.filter(({ path }) => WHAT.some((name) => path === `/${name}`)), ...tables];
  const found = named.find(({ path }) => path === `/${kind ?? "places"}`);
  if (found) return found;
  const known = named.map(({ path }) => path.slice(1)).join(", ");
  throw new ParameterError([`what must be one of ${known}, got ${JSON.stringify(kind)}`]);
}

function countPath(by: "category" | "brand" | "country") {
  const path = COUNT_PATHS.find((known) => known.by === by);
  if (!path) throw new ParameterError([`by must be one of category, brand, country, got ${by}`]);
  return path;
}

/** A cursor contains release and page: pages of two releases would omit or repeat records. */
function pageOf(cursor: string | undefined): { readonly page: number; readonly release?: string } {
  if (cursor === undefined) return { page: 0 };
  const [, release, page] = cursor.match(/^(.*)\.(\d+)$/) ?? [];
  if (release === undefined)
    throw new ParameterError([`cursor must be that of an answer, got ${JSON.stringify(cursor)}`]);
  return { page: Number(page), release };
}

/** Returns the box as an area. Throws `ParameterError` if it is not west, south, east, north in degrees. */
function areaOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Area {
  if (Math.abs(south) > 90 || Math.abs(north) > 90 || south > north || Math.abs(west) > 180 || Math.abs(east) > 180)
    throw new ParameterError([`bbox must be west, south, east, north in degrees, got ${[west, south, east, north]}`]);
  return areaOfBox([west, south, east, north]);
}

function nameOfGroup(value: unknown): string {
  if (typeof value === "string") return value;
  const { names, wikidata } = value as { readonly names?: { readonly primary?: string }; readonly wikidata?: string };
  return names?.primary || wikidata || "unnamed";
}
