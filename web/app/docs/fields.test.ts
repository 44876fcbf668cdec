import { expect, test } from "vitest";
import { createRoutes } from "../../api/index.ts";
import { openNodeDataset } from "../../hosts/node/open.ts";
import { withEmptyFields, withoutEmptyParameters } from "./fields.ts";

const openapi = JSON.stringify(createRoutes(openNodeDataset("no-dataset")).documentAt("."));

test("no key can be typed: a host that requires one serves no page", () => {
  expect(openapi).toContain("securitySchemes");
  expect(withEmptyFields(openapi)).not.toContain("security");
});

test("fields other than the point and the limit are empty, with their examples in the description", () => {
  const shown = JSON.parse(withEmptyFields(openapi));
  const parameters = shown.paths["/places"].get.parameters as { name: string; schema: { example?: unknown } }[];
  const filled = parameters.filter(({ schema }) => schema.example !== undefined).map(({ name }) => name);
  expect(filled).toEqual(["lat", "lng", "limit"]);
  const given = JSON.parse(openapi);
  const country = (document: typeof given) =>
    document.paths["/places"].get.parameters.find(({ name }: { name: string }) => name === "country");
  expect(country(given).schema.example).toBe("MC");
  expect(country(shown)).toEqual({
    ...country(given),
    description: `${country(given).description} Such as \`MC\`.`,
    schema: { ...country(given).schema, example: undefined },
  });
  const { security: _, components, ...others } = given;
  const { securitySchemes: __, ...schemas } = components;
  expect({ ...shown, paths: Object.keys(shown.paths) }).toEqual({
    ...others,
    components: schemas,
    paths: Object.keys(given.paths),
  });
});

test("empty parameters are not sent", () => {
  expect(withoutEmptyParameters("http://localhost/places?country=MC&categories=&lat=0&name=")).toBe(
    "http://localhost/places?country=MC&lat=0",
  );
});
