import { Field, Float64, List, Struct, Utf8 } from "apache-arrow";
import { afterEach, expect, test, vi } from "vitest";
import { vectorOf } from "./vector-of.ts";

afterEach(() => void vi.unstubAllGlobals());

test("values and nulls at all depths become a vector, and no text is run as code", () => {
  const refuse = () => {
    throw new EvalError("refused by the policy");
  };
  vi.stubGlobal("Function", new Proxy(Function, { construct: refuse, apply: refuse }));
  const type = new List(new Field("item", new Struct([new Field("a", new Utf8(), true)]), true));
  const values = [[{ a: "x" }, null, { a: null }], null, []];
  expect(JSON.parse(JSON.stringify(vectorOf(values, type)))).toEqual(values);
  expect([...vectorOf([1.5, null, undefined, 0], new Float64())]).toEqual([1.5, null, null, 0]);
  expect([...vectorOf(["", null, "é"], new Utf8())]).toEqual(["", null, "é"]);
});
