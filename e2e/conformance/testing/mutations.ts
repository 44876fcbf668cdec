/**
 * Ways to break an implementation deliberately, one at a time.
 * @module
 */
import type { Send } from "../client.ts";
import { isObject, type Json, parseJson } from "../json.ts";

export interface Mutation {
  readonly name: string;
  readonly breaks: (send: Send) => Send;
  /** Checks of which at least one must fail. */
  readonly only: RegExp;
}

type Records = readonly Json[];

/** Changes the records of JSON answers. */
const records =
  (change: (items: Records) => Records) =>
  (send: Send): Send =>
  async (path, init) => {
    const response = await send(path, init);
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status !== 200 || !type.startsWith("application/json")) return response;
    const body = parseJson(await response.text());
    return rebuild(response, JSON.stringify(Array.isArray(body) ? change(body) : body));
  };

/** Changes the text of answers of a type. */
const text =
  (type: string, change: (body: string) => string) =>
  (send: Send): Send =>
  async (path, init) => {
    const response = await send(path, init);
    if (!response.headers.get("Content-Type")?.startsWith(type)) return response;
    return rebuild(response, change(await response.text()));
  };

/** Changes the headers of every answer. */
const headers =
  (change: (headers: Headers) => void) =>
  (send: Send): Send =>
  async (path, init) => {
    const response = await send(path, init);
    const changed = new Headers(response.headers);
    change(changed);
    return rebuild(new Response(null, { status: response.status, headers: changed }), await response.text());
  };

/** Changes the request, so that the implementation seems to misunderstand it. */
const request =
  (change: (path: string) => string) =>
  (send: Send): Send =>
  (path, init) =>
    send(change(path), init);

const without = (name: string) => request((path) => path.replace(new RegExp(`([?&])${name}=[^&]*&?`, "g"), "$1"));

function rebuild({ status, headers: kept }: Response, body: string): Response {
  return new Response(body === "" || [204, 304].includes(status) ? null : body, { status, headers: kept });
}

const swapped = (items: Records): Records => [...items.slice(1, 2), ...items.slice(0, 1), ...items.slice(2)];

const withProperty =
  (name: string, change: (value: Json) => Json) =>
  (items: Records): Records =>
    items.map((item) => {
      if (!isObject(item) || !isObject(item.properties) || !(name in item.properties)) return item;
      return { ...item, properties: { ...item.properties, [name]: change(item.properties[name] ?? null) } };
    });

const plus = (amount: number) => (value: Json) => (typeof value === "number" ? value + amount : value);
const raise = (name: string) => (all: Headers) => {
  const count = all.get(name);
  if (count !== null) all.set(name, String(Number(count) + 1));
};

const EXACT = /^(places|base).*plain loop$/;

export const MUTATIONS: readonly Mutation[] = [
  { name: "order: the first two records change places", breaks: records(swapped), only: EXACT },
  { name: "order: distances are 2 mm off", breaks: records(withProperty("ext_distance", plus(0.002))), only: EXACT },
  { name: "order: the last record is lost", breaks: records((items) => items.slice(0, -1)), only: EXACT },
  { name: "count: one too many in all", breaks: headers(raise("Pagination-Count")), only: EXACT },
  { name: "count: one too many on the page", breaks: headers(raise("X-Total-Count")), only: /X-Total-Count/ },
  {
    name: "bound: limit up to 25001",
    breaks: request((path) => path.replace("limit=25001", "limit=25000")),
    only: /limit 25001/,
  },
  {
    name: "bound: radius down to 0.999",
    breaks: request((path) => path.replace("radius=0.999", "radius=1")),
    only: /radius 0.999/,
  },
  {
    name: "bound: radius ends at 50 km",
    breaks: request((path) => path.replace(/radius=\d{6,}/, "radius=50000")),
    only: /large as the earth/,
  },
  {
    name: "header: no Pagination-Limit",
    breaks: headers((all) => all.delete("Pagination-Limit")),
    only: /paging headers/,
  },
  {
    name: "header: paging is not exposed",
    breaks: headers((all) => all.delete("Access-Control-Expose-Headers")),
    only: /every origin/,
  },
  { name: "header: no ETag", breaks: headers((all) => all.delete("ETag")), only: /ETag/ },
  { name: "header: no Link", breaks: headers((all) => all.delete("Link")), only: /Link/ },
  ...["name", "categories", "min_confidence", "has_contact", "subtype", "bbox", "country"].map((name) => ({
    name: `filter: ${name} is not looked at`,
    breaks: without(name),
    only: new RegExp(`: ${name} equals|${name} gives|country and circle`),
  })),
  { name: "includes: nothing is removed", breaks: without("includes"), only: /includes as/ },
  { name: "release: it is ignored", breaks: without("release"), only: /places: the links to further pages name/ },
  {
    name: "openapi.json: no release",
    breaks: text("application/json", (body) => body.replaceAll('"name":"release"', '"name":"edition"')),
    only: /openapi.json: describes the parameters of places/,
  },
  {
    name: "includes: the last of a repeated parameter counts alone",
    breaks: request((path) => path.replace(/includes=[^&]*&(?=.*includes=)/g, "")),
    only: /includes as/,
  },
  { name: "format: csv with semicolons", breaks: text("text/csv", (body) => body.replaceAll(",", ";")), only: /csv/ },
  {
    name: "format: csv with bare line feeds",
    breaks: text("text/csv", (body) => body.replaceAll("\r", "")),
    only: /csv/,
  },
  {
    name: "format: geojson is a bare array",
    breaks: text("application/geo+json", (body) => body.replace(/^.*?"features":/s, "").replace(/\}\s*$/, "")),
    only: /geojson/,
  },
  {
    name: "format: csv is called plain text",
    breaks: headers((all) => {
      if (all.get("Content-Type")?.startsWith("text/csv")) all.set("Content-Type", "text/plain; charset=utf-8");
    }),
    only: /content type/,
  },
  {
    name: "record: the id is not repeated",
    breaks: records((items) =>
      items.map((item) => {
        if (!isObject(item) || !isObject(item.properties)) return item;
        return {
          ...item,
          properties: Object.fromEntries(Object.entries(item.properties).filter(([name]) => name !== "id")),
        };
      }),
    ),
    only: /a record is|includes as/,
  },
  {
    name: "record: another country than the one that finds it",
    breaks: records(withProperty("ext_country", () => "QZ")),
    only: /country by which they are found/,
  },
  {
    name: "record: version is a number",
    breaks: records(withProperty("version", Number)),
    only: /a record is/,
  },
  {
    name: "error: message is a text",
    breaks: text("application/json", (body) => body.replace(/"message":\[([^\]]*)\]/, '"message":$1')),
    only: /limit 0 is a 400/,
  },
];
