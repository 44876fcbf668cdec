/**
 * The OpenAPI document, before the linters that its readers use: no warning of their recommended rules.
 * @module
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { createApi } from "../../web/api/index.ts";
import type { AddressAsked } from "../../web/api/middleware.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";

// The document is made from the routes: no dataset is read for it.
const dataset = openNodeDataset("no-dataset");
const documentOf = async (addressAsked: AddressAsked): Promise<string> =>
  (await createApi({ dataset, addressAsked })(new Request("https://maps.test/openapi.json"))).text();
const document = await documentOf(({ url }) => url);
/** Of a service that does not know its address. */
const relative = await documentOf(() => undefined);

async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`);
}

async function oasRules(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset(oas));
  const problems = await linter.run(source);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
}

test.each([
  ["Redocly", redocly, /^operation-operationId: /],
  ["Spectral", oasRules, /^operation-operationId: /],
] as const)("%s has nothing to say of the OpenAPI document, and has where a name is missing", async (_, lint, rule) => {
  expect(relative).not.toBe(document);
  for (const source of [document, relative]) expect(await lint(source)).toEqual([]);
  const nameless = document.replace('"operationId":"searchPlaces",', "");
  expect(nameless).not.toBe(document);
  expect(await lint(nameless)).toEqual([expect.stringMatching(rule)]);
});
