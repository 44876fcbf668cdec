/**
 * OGC API - Features, Part 1: core, GeoJSON, OpenAPI 3.0. One collection for each of the dataset's.
 * @see https://docs.ogc.org/is/17-069r4/17-069r4.html
 * @module
 */

import { type Context, Hono } from "hono";
import type { CollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { collectionIn } from "../../data/format/own-collections.ts";
import { type Dataset, ReleaseError, TooManyRowsError } from "../engine/index.ts";
import { ParameterError, parametersOf, runCounts, runSearch } from "../search/index.ts";
import { codeOf, ERROR_HEADER } from "./error-codes.ts";
import { COUNTS_RELATION, ogcCounts, parseOgcCounts } from "./ogc-counts.ts";
import { OPENAPI_TYPE, ogcDocument } from "./ogc-document.ts";
import { queryablesOf } from "./ogc-filter.ts";
import { CRS84, parametersTaken, parseItems } from "./ogc-items.ts";
import { everyProperty, featureSchemaOf, schemaOf } from "./ogc-schema.ts";
import { streamText } from "./stream.ts";

export const OGC_PATH = "/ogc";

const CONFORMS_TO = [
  "ogcapi-features-1/1.0/conf/core",
  "ogcapi-features-1/1.0/conf/geojson",
  "ogcapi-features-1/1.0/conf/oas30",
  "ogcapi-features-3/1.0/conf/queryables",
  "ogcapi-features-3/1.0/conf/filter",
  "ogcapi-features-3/1.0/conf/features-filter",
  "ogcapi-features-5/1.0/conf/schemas",
  "ogcapi-features-5/1.0/conf/returnables-and-receivables",
  "ogcapi-features-5/1.0/conf/queryables",
  "cql2/1.0/conf/cql2-text",
  "cql2/1.0/conf/cql2-json",
  "cql2/1.0/conf/basic-cql2",
  "cql2/1.0/conf/advanced-comparison-operators",
  "cql2/1.0/conf/basic-spatial-functions",
].map((name) => `http://www.opengis.net/spec/${name}`);
const QUERYABLES = "http://www.opengis.net/def/rel/ogc/1.0/queryables";
const SCHEMA = "http://www.opengis.net/def/rel/ogc/1.0/schema";
const SCHEMA_TYPE = "application/schema+json";
const GEOJSON_TYPE = "application/geo+json";

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
  readonly title?: string;
}

/** Returns the routes, to be mounted at `OGC_PATH`. */
export function ogcRoutes(dataset: Dataset): Hono {
  const ogc = new Hono();

  ogc.get("/", (c) => {
    plain(c);
    return c.json({
      title: "Cairn",
      description: "Overture Maps data from static files.",
      links: [
        link(at(c, ""), "self"),
        link(at(c, "/api"), "service-desc", OPENAPI_TYPE, "OpenAPI 3.0"),
        link(at(c, "/conformance"), "conformance"),
        link(at(c, "/collections"), "data"),
      ],
    });
  });

  ogc.get("/conformance", (c) => {
    plain(c);
    return c.json({ conformsTo: CONFORMS_TO });
  });

  ogc.get("/api", async (c) => {
    plain(c);
    const manifest = await dataset.manifest(c.req.raw.signal);
    const document = ogcDocument(at(c, "").replace(/\/$/, ""), collectionsOf(manifest), (name) =>
      parametersTaken(manifest, name),
    );
    return c.body(JSON.stringify(document), { headers: { "Content-Type": OPENAPI_TYPE } });
  });

  ogc.get("/collections", async (c) => {
    plain(c);
    const manifest = await dataset.manifest(c.req.raw.signal);
    return c.json({
      links: [link(at(c, "/collections"), "self")],
      collections: collectionsOf(manifest).map((name) => collectionInfo(c, manifest, name)),
    });
  });

  for (const { path, hasParameters, respond } of COLLECTION_ROUTES) {
    ogc.get(`/collections/:collection${path}`, async (c) => {
      if (!hasParameters) plain(c);
      const manifest = await dataset.manifest(c.req.raw.signal);
      const name = collectionsOf(manifest).find((known) => known === c.req.param("collection"));
      return name ? respond(c, { dataset, name, manifest }) : nowhere(c, manifest);
    });
  }

  ogc.onError(refusal);
  return ogc;
}

interface CollectionRoute {
  /** Path below the path of a collection. */
  readonly path: string;
  readonly hasParameters?: true;
  respond(c: Context, of: { dataset: Dataset; name: CollectionName; manifest: Manifest }): Response | Promise<Response>;
}

/** The routes below the path of each collection. */
const COLLECTION_ROUTES: readonly CollectionRoute[] = [
  {
    path: "",
    respond: (c, { name, manifest }) => c.json(collectionInfo(c, manifest, name)),
  },
  {
    path: "/queryables",
    respond(c, { name, manifest }) {
      const schema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: at(c, `/collections/${name}/queryables`),
        type: "object",
        title: `Properties for filters of ${name}`,
        properties: queryablesOf(collectionIn(manifest, name)),
        additionalProperties: false,
      };
      return c.body(JSON.stringify(schema), { headers: { "Content-Type": SCHEMA_TYPE } });
    },
  },
  {
    path: "/schema",
    respond: (c, { name, manifest }) =>
      c.body(JSON.stringify(schemaOf(collectionIn(manifest, name), at(c, `/collections/${name}/schema`))), {
        headers: { "Content-Type": SCHEMA_TYPE },
      }),
  },
  {
    path: "/feature-schema",
    respond: (c, { name, manifest }) =>
      c.body(
        JSON.stringify(featureSchemaOf(collectionIn(manifest, name), at(c, `/collections/${name}/feature-schema`))),
        {
          headers: { "Content-Type": SCHEMA_TYPE },
        },
      ),
  },
  {
    path: "/items",
    hasParameters: true,
    async respond(c, { dataset, name, manifest }) {
      const { signal } = c.req.raw;
      const url = new URL(c.req.url);
      const { search, limit, offset } = parseItems(manifest, name, parametersOf(url.searchParams));
      const result = await runSearch(dataset, search, { signal });
      const { release } = result.report;
      const schema = collectionIn(manifest, name);
      const paging = { offset, limit, total: result.total, release };
      const links = pageLinks(c, { name, path: "items", type: GEOJSON_TYPE, ...paging });
      const head = {
        type: "FeatureCollection",
        numberMatched: result.total,
        numberReturned: result.length,
        timeStamp: new Date().toISOString(),
        links,
      };
      function* pieces() {
        yield `${JSON.stringify(head).slice(0, -1)},"features":[`;
        let before = "";
        for (const feature of result.features()) {
          yield before + JSON.stringify({ ...feature, properties: everyProperty(schema, feature) });
          before = ",\n";
        }
        yield "]}\n";
      }
      const headers = { "Content-Type": GEOJSON_TYPE, "Cairn-Release": encodeURIComponent(release) };
      return new Response(streamText(pieces()), { headers });
    },
  },
  {
    path: "/counts",
    hasParameters: true,
    async respond(c, { dataset, name, manifest }) {
      const { signal } = c.req.raw;
      const asked = parseOgcCounts(manifest, name, parametersOf(new URL(c.req.url).searchParams));
      const found = await runCounts(dataset, asked.counting, { signal });
      const { offset, limit, hasOutlines } = asked;
      const type = hasOutlines ? GEOJSON_TYPE : "application/json";
      const paging = { offset, limit, total: found.groups, release: found.release };
      const links = pageLinks(c, { name, path: "counts", type, ...paging });
      const headers = { "Content-Type": type, "Cairn-Release": encodeURIComponent(found.release) };
      return c.body(JSON.stringify({ ...ogcCounts(asked, found), links }), { headers });
    },
  },
  {
    path: "/items/:id",
    async respond(c, { dataset, name, manifest }) {
      const schema = collectionIn(manifest, name);
      const { id = "" } = c.req.param();
      const feature = await dataset.find([name], id, { signal: c.req.raw.signal });
      if (!feature) return exception(c, 404, "NotFound", `${JSON.stringify(id)} is not the id of an item of ${name}`);
      const path = `/collections/${name}/items/${encodeURIComponent(id)}`;
      const links = [link(at(c, path), "self", GEOJSON_TYPE), link(at(c, `/collections/${name}`), "collection")];
      const item = { ...feature, properties: everyProperty(schema, feature), links };
      return c.body(JSON.stringify(item), { headers: { "Content-Type": GEOJSON_TYPE } });
    },
  },
];

/** Answers an error that the caller caused. Throws any other error again. */
function refusal(error: Error, c: Context): Response {
  if (error instanceof ParameterError) return exception(c, 400, "InvalidParameterValue", error.faults.join("; "));
  if (error instanceof ReleaseError) return exception(c, 409, "ReleaseNotAvailable", error.message);
  if (!(error instanceof TooManyRowsError)) throw error;
  const { rows, most } = error;
  const advice =
    "narrow it by bbox, by country = '..', or by a value of an indexed property such as subtype or categories";
  return exception(
    c,
    400,
    "TooManyRows",
    `filter would read ${rows} rows to test them, at most ${most} are read; ${advice}`,
  );
}

interface PageLinks {
  readonly name: CollectionName;
  readonly path: "items" | "counts";
  readonly type: string;
  readonly offset: number;
  readonly limit: number;
  /** Number of items or groups on all pages. */
  readonly total: number;
  readonly release: string;
}

/** Returns the links to this page and its neighbours. Links to other pages name this release. */
function pageLinks(c: Context, { name, path, type, offset, limit, total, release }: PageLinks): Link[] {
  const { search, searchParams } = new URL(c.req.url);
  const own = `/collections/${name}/${path}`;
  const page = (from: number) => {
    const query = new URLSearchParams(searchParams);
    query.delete("api_key");
    query.set("offset", String(from));
    query.set("release", release);
    return at(c, own, `?${query}`);
  };
  return [
    link(at(c, own, search), "self", type),
    ...(offset + limit < total ? [link(page(offset + limit), "next", type)] : []),
    ...(offset > 0 ? [link(page(Math.max(0, offset - limit)), "prev", type)] : []),
    link(at(c, `/collections/${name}`), "collection"),
  ];
}

function collectionInfo(c: Context, manifest: Manifest, name: CollectionName): object {
  const { collections, attribution } = manifest;
  const { rows = 0, bbox } = collections[name] ?? {};
  const { type, theme, own } = collectionIn(manifest, name);
  const what = own ? `The table ${name}` : `Overture's ${type} of theme ${theme}`;
  const path = `/collections/${name}`;
  return {
    id: name,
    title: name.replaceAll("_", " "),
    description: `${what}: ${rows} rows.`,
    attribution: attribution.map(({ text }) => text).join("; "),
    ...(bbox ? { extent: { spatial: { bbox: [bbox], crs: CRS84 } } } : {}),
    itemType: "feature",
    crs: [CRS84],
    links: [
      link(at(c, path), "self"),
      link(at(c, `${path}/items`), "items", GEOJSON_TYPE),
      link(at(c, `${path}/counts`), COUNTS_RELATION, "application/json", "Exact counts by cell, value or division"),
      link(at(c, `${path}/queryables`), QUERYABLES, SCHEMA_TYPE),
      link(at(c, `${path}/schema`), SCHEMA, SCHEMA_TYPE),
      // relation types ignore case, but GDAL recognizes only this spelling
      link(at(c, `${path}/feature-schema`), "describedBy", SCHEMA_TYPE, "An item as GeoJSON"),
      ...new Map(
        attribution.flatMap(({ url, license }) => (url ? [[url, link(url, "license", "text/html", license)]] : [])),
      ).values(),
    ],
  };
}

function nowhere(c: Context, manifest: Manifest): Response {
  const known = collectionsOf(manifest).join(", ");
  return exception(
    c,
    404,
    "NotFound",
    `${JSON.stringify(c.req.param("collection"))} is not a collection; there are ${known}`,
  );
}

/** Returns the URL of a path of this interface, for links in the answer to the request. */
function at(c: Context, path: string, query = ""): string {
  return c.var.linkTo(`${up(c)}${path}${query}`);
}

function link(href: string, rel: string, type = "application/json", title?: string): Link {
  return {
    href,
    rel,
    type,
    ...(title === undefined ? {} : { title }),
  };
}

/** Returns the relative path from the request to the landing page, so that links work below any base. */
function up(c: Context): string {
  const path = new URL(c.req.url).pathname.replace(/\/$/, "");
  const below = path.slice(path.lastIndexOf(OGC_PATH) + OGC_PATH.length);
  return `${below === "" ? "." : "../".repeat(below.split("/").length - 1).replace(/\/$/, "")}${OGC_PATH}`;
}

function collectionsOf({ collections }: Manifest): CollectionName[] {
  return Object.keys(collections).sort() as CollectionName[];
}

/** Throws `ParameterError` if the request has parameters. Only items and counts take some. */
function plain(c: Context): void {
  const sent = [...new URL(c.req.url).searchParams.keys()].filter((name) => name !== "f" && name !== "api_key");
  if (sent.length > 0)
    throw new ParameterError(
      sent.map((name) => `${JSON.stringify(name)} is not a parameter here; there are f, api_key`),
    );
}

function exception(c: Context, status: 400 | 404 | 409, code: string, description: string): Response {
  return c.json({ code, description }, status, { "Cache-Control": "no-store", [ERROR_HEADER]: codeOf(status) });
}
