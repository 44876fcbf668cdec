/**
 * The OpenAPI documents of REST and `/ogc` pass common linters with their recommended rules.
 * @module
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { createApi } from "../../web/api/index.ts";
import type { AddressAsked } from "../../web/api/middleware.ts";
import type { Dataset } from "../../web/engine/index.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { buildOwnDataset } from "../support/own-dataset.ts";

const newFolder = temporaryFolders();
const DATASETS = [await buildSample(), await buildOwnDataset(await newFolder())].map((folder) =>
  openNodeDataset(folder),
);
const documentOf = async (dataset: Dataset, path: string, addressAsked: AddressAsked): Promise<string> =>
  (await createApi({ dataset, addressAsked })(new Request(`https://maps.test${path}`))).text();
/** Each document of the sample and of tables, with and without a known service address. */
const DOCUMENTS = await Promise.all(
  DATASETS.flatMap((dataset) =>
    ["/openapi.json", "/ogc/api"].map(async (path) => ({
      document: await documentOf(dataset, path, ({ url }) => url),
      relative: await documentOf(dataset, path, () => undefined),
    })),
  ),
);

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
  ["Redocly", redocly],
  ["Spectral", oasRules],
] as const)("%s reports nothing for the documents, and reports a missing name", async (_, lint) => {
  for (const { document, relative } of DOCUMENTS) {
    expect(relative).not.toBe(document);
    for (const source of [document, relative]) expect(await lint(source)).toEqual([]);
    const nameless = document.replace(/"operationId":"(searchPlaces|items_place|items_tile)",/, "");
    expect(nameless).not.toBe(document);
    expect(await lint(nameless)).toEqual([expect.stringMatching(/^operation-operationId: /)]);
  }
});
