import { expect, test } from "vitest";
import { IMMUTABLE } from "../hosts/http/index.ts";
import { headerRules } from "./headers.ts";

test("files with a hash in their name are immutable, column tables too", () => {
  const immutable = headerRules(["place", "shops"])
    .filter(({ headers }) => headers["Cache-Control"] === IMMUTABLE)
    .map(({ path }) => path);
  expect(immutable).toEqual([
    "/embed/assets/*",
    "/assets/*",
    "/dataset/place/*",
    "/dataset/shops/*",
    "/dataset/tables/*",
  ]);
});
