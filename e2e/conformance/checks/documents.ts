/**
 * The welcome document, the OpenAPI document and its page.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { jsonOf } from "../client.ts";
import { expectError } from "../error-shape.ts";
import { expect, Mismatch, NotApplicable } from "../expect.ts";
import { at, isObject, type Json, listAt, numberAt, textAt } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { COMMON_PARAMETERS, COUNT_PATHS, SEARCH_PATHS, titleOf } from "../paths.ts";

/** Makes the checks of documents. */
export function documentChecks(_oracle: Oracle): Check[] {
  return [
    check("root: a welcome in JSON with links to the paths", async ({ client, transport }) => {
      if (transport === "service-worker") throw new NotApplicable("the page is here");
      const answer = await client.get("/", {}, { headers: { Accept: "application/json" } });
      expect.equal("status", answer.status, 200);
      jsonOf(answer);
      for (const path of ["/openapi.json", "/docs", ...SEARCH_PATHS.map((known) => known.path), ...COUNT_PATHS])
        expect.true("links", answer.text.includes(path), answer.text, path);
    }),
    check("docs: a page that loads nothing from other hosts", async ({ client }) => {
      const { status, headers, text } = await client.get("/docs");
      expect.equal("status", status, 200, text);
      expect.true(
        "Content-Type",
        (headers.get("Content-Type") ?? "").includes("text/html"),
        headers.get("Content-Type"),
        "text/html",
      );
      const foreign = text.match(/(?:src|href)="(?:https?:)?\/\/[^"]+"/g)?.filter((link) => !link.startsWith("href"));
      expect.equal("scripts from elsewhere", foreign?.join() ?? "", "");
    }),
    check("openapi.json: is OpenAPI 3.1 and has every path", async (kit) => {
      const document = await documentOf(kit);
      expect.true("openapi", /^3\.1\./.test(textAt(document, "openapi") ?? ""), at(document, "openapi"), "3.1");
      const withIds = SEARCH_PATHS.map(({ path }) => path);
      for (const path of [...withIds, ...COUNT_PATHS])
        expect.true(path, at(document, "paths", path, "get") !== undefined, "no operation", "a GET operation");
      const templates = Object.keys(at(document, "paths") ?? {});
      for (const path of withIds) {
        const hasId = templates.some((template) => template.startsWith(`${path}/{`));
        expect.true(`${path}/{id}`, hasId, templates, "an operation");
      }
    }),
    ...SEARCH_PATHS.map(({ path, own }) =>
      check(`openapi.json: describes the parameters of ${titleOf(path)} with their bounds`, async (kit) => {
        const parameters = listAt(await documentOf(kit), "paths", path, "get", "parameters");
        const names = parameters.filter((each) => at(each, "in") === "query").map((each) => textAt(each, "name") ?? "");
        const described = names.filter((name) => name !== "api_key").sort();
        expect.equal("names", described.join(), [...COMMON_PARAMETERS, ...own].sort().join());
        for (const [name, bounds] of Object.entries(BOUNDS)) expectBounds(parameters, name, bounds);
      }),
    ),
    check("openapi.json: operations have names, and paths that count give no geojson", async (kit) => {
      const paths = at(await documentOf(kit), "paths");
      const names = Object.entries(isObject(paths) ? paths : {}).map(([, path]) => textAt(path, "get", "operationId"));
      expect.true(
        "operationId",
        names.every((name) => name),
        names,
        "one for each",
      );
      expect.equal("different names", new Set(names).size, names.length);
      for (const path of COUNT_PATHS) {
        const format = listAt(paths, path, "get", "parameters").find((each) => at(each, "name") === "format");
        expect.same(`${path}: format`, at(format, "schema", "enum"), ["json", "csv"]);
        expectError(await kit.client.get(path, { format: "geojson" }), 400);
      }
    }),
    check("openapi.json: every answer of this run matches the document", async ({ violations }) => {
      const found = await violations();
      if (found.length > 0) throw new Mismatch(`${found.length} kinds of violation: ${found.slice(0, 12).join(" | ")}`);
    }),
  ];
}

async function documentOf({ client }: Kit): Promise<Json> {
  return jsonOf(await client.get("/openapi.json"));
}

type Bounds = Readonly<Record<string, number | string>>;

const BOUNDS: Readonly<Record<string, Bounds>> = {
  lat: { minimum: -90, maximum: 90 },
  lng: { minimum: -180, maximum: 180 },
  radius: { minimum: 1 },
  limit: { minimum: 1, maximum: 25_000, default: 1000 },
  page: { minimum: 0, default: 0 },
  format: { default: "json" },
};

function expectBounds(parameters: readonly Json[], name: string, bounds: Bounds): void {
  const found = parameters.find((each) => at(each, "name") === name);
  for (const [key, value] of Object.entries(bounds)) {
    const shown = typeof value === "number" ? numberAt(found, "schema", key) : at(found, "schema", key);
    expect.equal(`${name}.${key}`, shown, value);
  }
}
