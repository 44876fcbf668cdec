/**
 * The Model Context Protocol: a dataset as eight tools of an agent. Answers are short, because an agent pays per
 * word.
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Area } from "../../data/format/area.ts";
import { boxRing } from "../../data/format/bbox.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import { isOwnName } from "../../data/format/own-collections.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { type Dataset, type Feature, ReleaseError } from "../engine/index.ts";
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

interface McpOptions {
  readonly dataset: Dataset;
  /** Called for every failure that is not the caller's. */
  readonly onFailure?: (error: unknown) => void;
}

const WHAT = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
/** Of the tools, as of the REST interface. */
const VERSION = "1";

const DEFAULT_LIMIT = 10;
const MOST = 100;
/** As for texts of the REST interface. */
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
  attribution: z.string(),
};
const attributed = { attribution: z.string() };

interface ToolResult extends Readonly<Record<string, unknown>> {
  readonly shown?: readonly Feature[];
}

interface ListOptions {
  readonly signal: AbortSignal;
  readonly area?: Area | undefined;
}

interface Asked {
  readonly what?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly ids?: boolean | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly columns?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly [name: string]: unknown;
}

/**
 * Creates an MCP server with eight tools over the dataset. Connect it to one transport: each connection needs its own
 * server.
 */
export function createMcpServer({ dataset, onFailure = () => {} }: McpOptions): McpServer {
  const server = new McpServer(
    { name: "cairn", version: VERSION },
    { instructions: "Search of map data: Overture Maps. Show the attribution with the records." },
  );
  const readOnly = { readOnlyHint: true, openWorldHint: false };

  /** Credits for the records, or for all of the dataset if they are not known. */
  async function creditsOf(records: readonly Feature[] | undefined): Promise<string> {
    const { attribution } = await dataset.manifest();
    const sources = records?.flatMap(({ properties }) =>
      listOf(properties.sources).map((source) => textOf(objectOf(source)?.dataset)),
    );
    // the publisher of the release is credited for each record
    const isDue = (of: string) => of === "Overture" || (sources?.includes(of) ?? true);
    const texts = attribution.filter(({ dataset: of }) => isDue(of)).map(({ text }) => text);
    return [...new Set(texts)].join("; ");
  }

  /** Errors are returned to the agent, so that it can correct its call. */
  async function attempt(signal: AbortSignal, work: () => Promise<ToolResult>): Promise<CallToolResult> {
    try {
      const { shown, ...answer } = await work();
      const structuredContent = { ...answer, attribution: await creditsOf(shown) };
      return { content: [{ type: "text", text: textOfAnswer(structuredContent) }], structuredContent };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ParameterError || error instanceof ReleaseError)) onFailure(error);
      const message = error instanceof Error ? error.message : String(error);
      return { isError: true, content: [{ type: "text", text: message }] };
    }
  }

  async function list(asked: Asked, location: Parameters, { signal, area }: ListOptions): Promise<ToolResult> {
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

  server.registerTool(
    "find",
    {
      description:
        "What a text means: towns, countries, places, streets, addresses, categories of places, or a position (plus code, geohash, map link, degrees). Misspellings are corrected.",
      inputSchema: argumentsOf({
        text: z.string(),
        lat: lat.optional().describe("nearer results come first"),
        lng: lng.optional(),
        country,
        language,
        limit,
      }),
      outputSchema: {
        found: z
          .array(z.string())
          .describe("kind or table; name; where; lat,lng; id; unused: words of the text that it does not use"),
        ...attributed,
      },
      annotations: readOnly,
    },
    (asked, { signal }) =>
      attempt(signal, async () => {
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
      }),
  );

  server.registerTool(
    "reverse",
    {
      description: "What is at a point: nearest address, street and place, and the divisions that contain it.",
      inputSchema: argumentsOf({ lat, lng, language }),
      outputSchema: {
        label: z.string(),
        nearest: z.array(z.string()),
        divisions: z.array(z.string()).describe("widest first: name; subtype; division id, for `in_area`"),
        ...attributed,
      },
      annotations: readOnly,
    },
    (asked, { signal }) =>
      attempt(signal, async () => {
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
      }),
  );

  server.registerTool(
    "near",
    {
      description: "Records around a point, nearest first: within a radius, or the nearest at any distance.",
      inputSchema: argumentsOf({
        lat,
        lng,
        radius: radius.describe("metres, default 1000"),
        nearest: numberLike(z.number().int().min(1)).optional().describe("this number of records instead of a radius"),
        ...filters,
      }),
      outputSchema: listed,
      annotations: readOnly,
    },
    ({ lat: y, lng: x, radius: meters, nearest, ...asked }, { signal }) =>
      attempt(signal, () => list(asked, sentAs({ lat: y, lng: x, radius: meters, nearest }), { signal })),
  );

  server.registerTool(
    "in_area",
    {
      description: "Records in exactly one of a division, a box or a country.",
      inputSchema: argumentsOf({
        division: z.string().optional().describe("id, by `find` or `reverse`"),
        bbox: listLike(z.array(numberLike(z.number())).length(4))
          .optional()
          .describe("west, south, east, north"),
        country,
        ...filters,
      }),
      outputSchema: listed,
      annotations: readOnly,
    },
    ({ division, bbox, country: code, ...asked }, { signal }) =>
      attempt(signal, async () => {
        if ([division, bbox, code].filter((each) => each !== undefined).length !== 1)
          throw new ParameterError(["give one of division, bbox and country"]);
        return list(asked, sentAs({ within: division, country: code }), { signal, area: bbox && areaOfBox(bbox) });
      }),
  );

  server.registerTool(
    "get",
    {
      description: "All properties of one record.",
      inputSchema: argumentsOf({ id: z.string(), what }),
      outputSchema: { record: z.record(z.string(), z.unknown()), ...attributed },
      annotations: readOnly,
    },
    ({ id, what: kind }, { signal }) =>
      attempt(signal, async () => {
        const path = await pathOf(dataset, kind, signal);
        const record = await findRecord(dataset, path, id, { signal });
        if (!record)
          throw new ParameterError([`${JSON.stringify(id)} is not the id of a record of ${path.path.slice(1)}`]);
        const [x, y] = representativePoint(record.geometry) ?? [];
        return { shown: [record], record: { ...record.properties, ...(x === undefined ? {} : { lat: y, lng: x }) } };
      }),
  );

  server.registerTool(
    "categories",
    {
      description:
        "Names of place categories for words such as coffee or a need such as toothache, best first, and the number of places with each as their primary one.",
      inputSchema: argumentsOf({
        words: z.string().max(MOST_WORDS_CHARS).optional().describe("default: all, most places first"),
        country,
        language: language.describe("of the words; default: en, then all others"),
        limit,
      }),
      outputSchema: {
        categories: z.array(z.string()).describe("name; places; unused: words that it does not explain"),
        ...attributed,
      },
      annotations: readOnly,
    },
    ({ words = "", country: code, language: spoken, limit: most = DEFAULT_LIMIT }, { signal }) =>
      attempt(signal, async () => {
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
      }),
  );

  server.registerTool(
    "counts",
    {
      description:
        "Exact counts of records, in all or by a value, by geohash cells or by divisions: around a point, in a division, a box, a country, or everywhere.",
      inputSchema: argumentsOf({
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
      }),
      outputSchema: {
        records: z.number().optional().describe("matching records"),
        total: z.number().describe("groups"),
        groups: z.array(z.string()).describe("name; records"),
        ...attributed,
      },
      annotations: readOnly,
    },
    ({ by, what: kind, division, bbox, categories, limit: most = DEFAULT_LIMIT, ...asked }, { signal }) =>
      attempt(signal, async () => {
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
      }),
  );

  server.registerTool(
    "describe",
    {
      description: "Contents of the dataset: release, rows of each type, countries of its places, its tables.",
      inputSchema: argumentsOf({}),
      outputSchema: {
        release: z.string(),
        rows: z.record(z.string(), z.number()),
        countries: z.array(z.string()).describe("of places, largest first"),
        tables: z.array(z.string()).describe("name, for `what`; its columns"),
        ...attributed,
      },
      annotations: readOnly,
    },
    (_, { signal }) =>
      attempt(signal, async () => {
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
      }),
  );

  return server;
}

/**
 * Answers one request of the protocol over streamable HTTP. The server is stateless, so that any number of hosts may
 * answer one client. It has no stream to listen to, which is a 405 as the protocol requires.
 */
export async function answerMcp(request: Request, options: McpOptions): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
  request.signal.throwIfAborted();
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const left = new Promise<never>((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
  });
  try {
    await server.connect(transport);
    return await Promise.race([transport.handleRequest(request), left]);
  } finally {
    // which aborts running work
    await server.close();
  }
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

function areaOfBox([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Area {
  if (Math.abs(south) > 90 || Math.abs(north) > 90 || south > north || Math.abs(west) > 180 || Math.abs(east) > 180)
    throw new ParameterError([`bbox must be west, south, east, north in degrees, got ${[west, south, east, north]}`]);
  return { type: "Polygon", coordinates: [boxRing([west, south, east, north])] };
}

function nameOfGroup(value: unknown): string {
  if (typeof value === "string") return value;
  const { names, wikidata } = value as { readonly names?: { readonly primary?: string }; readonly wikidata?: string };
  return names?.primary || wikidata || "unnamed";
}

/** A line per value: shorter than JSON, and as easy to read. */
function textOfAnswer(answer: Readonly<Record<string, unknown>>): string {
  return Object.entries(answer)
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
      return value.length === 0 ? [`${name}: none`] : [`${name}:`, ...value.map(String)];
    })
    .join("\n");
}
