/**
 * The OpenAPI 3.0 document of OGC API - Features.
 * @module
 */
import { CONTACT, KEY_SCHEMES, LICENSE, SECURITY } from "./document-parts.ts";

/** Items per page by default. The maximum is `MOST_ITEMS`. */
export const DEFAULT_ITEMS = 10;
export const MOST_ITEMS = 10_000;
/** Groups per page of counts by default. */
export const DEFAULT_GROUPS = 1000;

export const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.0";

const query = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
  ...more,
});

const BBOX = query(
  "bbox",
  "Items that meet this box: west, south, east, north in degrees (CRS84); west > east crosses the antimeridian.",
  {
    type: "array",
    items: { type: "number" },
    oneOf: [
      { minItems: 4, maxItems: 4 },
      { minItems: 6, maxItems: 6 },
    ],
  },
  { style: "form", explode: false },
);
const DATETIME = query("datetime", "Items have no times: all of them match.", { type: "string" });
const LIMIT = query("limit", "Maximum number of items per page.", {
  type: "integer",
  minimum: 1,
  maximum: MOST_ITEMS,
  default: DEFAULT_ITEMS,
});
const OFFSET = query("offset", "Items before the first requested one.", { type: "integer", minimum: 0, default: 0 });

const GROUP_LIMIT = query("limit", "Maximum number of groups per page.", {
  type: "integer",
  minimum: 1,
  maximum: MOST_ITEMS,
  default: DEFAULT_GROUPS,
});
const GROUPING = [
  query(
    "group",
    "What to count by: cell (geohash), country, division, category, brand, confidence, class, subtype, level, or a column of a table with a list of values. Default: only the number of items.",
    { type: "string" },
  ),
  query("level", "With group=cell: characters of the geohash, 1 to 6. With group=division: the subtype of divisions.", {
    type: "string",
  }),
  query("ids", "With group=division: ids of divisions, with commas, instead of level.", { type: "string" }),
  query("f", "Format. GeoJSON has the outlines of cells and divisions.", { type: "string", enum: ["json", "geojson"] }),
];

const FILTER = query(
  "filter",
  "A filter in CQL2: comparisons, BETWEEN, LIKE, IN, IS NULL and S_INTERSECTS, joined by AND, OR and NOT; properties are the queryables.",
  {
    type: "string",
  },
);
const FILTER_LANG = query("filter-lang", "Language of `filter`.", {
  type: "string",
  enum: ["cql2-text", "cql2-json"],
  default: "cql2-text",
});

const answer = (description: string, type = "application/json") => ({
  "200": { description, content: { [type]: { schema: { type: "object" } } } },
  "400": failure("A parameter is wrong."),
  "404": failure("There is no such resource."),
  "500": failure("The search failed."),
});

function failure(description: string) {
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/exception" } } } };
}

/**
 * Returns the OpenAPI document of the OGC interface. `server` is the URL of the landing page. `filtersOf` returns the
 * names of the query parameters that filter a collection.
 */
export function ogcDocument<Name extends string>(
  server: string,
  collections: readonly Name[],
  filtersOf: (name: Name) => readonly string[],
): object {
  const paths = Object.fromEntries(
    collections.flatMap((name) => {
      const filters = filtersOf(name).map((filter) =>
        query(filter, "The same as in the REST interface.", { type: "string" }),
      );
      const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
      const own = (id: string, summary: string, responses: Responses, parameters: readonly object[] = []) =>
        get(`${id}_${name}`, summary, responses, { parameters, tag: name });
      return [
        [`/collections/${name}`, own("describe", `The collection ${name}.`, answer("Title, extent and links."))],
        [
          `/collections/${name}/items`,
          own(
            "items",
            `Items of ${name}.`,
            answer(
              "A page of the items that meet all conditions, ordered by id, with the total number.",
              "application/geo+json",
            ),
            [BBOX, DATETIME, LIMIT, OFFSET, FILTER, FILTER_LANG, ...filters],
          ),
        ],
        [
          `/collections/${name}/counts`,
          own(
            "counts",
            `Exact counts of ${name}. An extension of the standard.`,
            answer("The number of items that meet all conditions, and the groups with their numbers."),
            [BBOX, DATETIME, GROUP_LIMIT, OFFSET, FILTER, FILTER_LANG, ...GROUPING, ...filters],
          ),
        ],
        [
          `/collections/${name}/queryables`,
          own(
            "queryables",
            `Properties for filters of ${name}.`,
            answer("A JSON schema of the properties that `filter` may use.", "application/schema+json"),
          ),
        ],
        [
          `/collections/${name}/schema`,
          own(
            "schema",
            `Properties of ${name}.`,
            answer("A JSON schema of an item's properties (Part 5).", "application/schema+json"),
          ),
        ],
        [
          `/collections/${name}/feature-schema`,
          own(
            "feature_schema",
            `An item of ${name} as GeoJSON.`,
            answer("A JSON schema of an item with its geometry.", "application/schema+json"),
          ),
        ],
        [
          `/collections/${name}/items/{id}`,
          own("item", `One item of ${name}.`, answer("The item with all of its properties.", "application/geo+json"), [
            id,
          ]),
        ],
      ];
    }),
  );
  return {
    openapi: "3.0.3",
    info: {
      title: "Cairn, OGC API - Features",
      version: "1",
      description: "Overture Maps data from static files.",
      contact: CONTACT,
      license: LICENSE,
    },
    tags: [
      { name: SERVICE, description: "The service and its collections." },
      ...collections.map((name) => ({ name, description: `The collection ${name}.` })),
    ],
    security: SECURITY,
    servers: [{ url: server }],
    paths: {
      "/": get(
        "landing",
        "The landing page.",
        answer("Links to this document, the conformance classes and the collections."),
      ),
      "/conformance": get("conformance", "Supported parts of the standard.", answer("The conformance classes.")),
      "/collections": get("collections", "All collections.", answer("Each collection with its extent and links.")),
      ...paths,
    },
    components: {
      securitySchemes: KEY_SCHEMES,
      schemas: {
        exception: {
          type: "object",
          required: ["code"],
          properties: { code: { type: "string" }, description: { type: "string" } },
        },
      },
    },
  };
}

const SERVICE = "service";
type Responses = ReturnType<typeof answer>;

function get(
  operationId: string,
  summary: string,
  responses: Responses,
  { parameters = [], tag = SERVICE }: { readonly parameters?: readonly object[]; readonly tag?: string } = {},
) {
  const { description } = responses["200"];
  return { get: { operationId, tags: [tag], summary, description, parameters, responses } };
}
