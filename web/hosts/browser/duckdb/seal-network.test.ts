import { expect, test } from "vitest";
import { sealNetwork } from "./seal-network.ts";

test("network functions removed from a worker cannot be restored", () => {
  class Scope {
    fetch() {
      return "an answer";
    }
    setTimeout() {
      return "a timer";
    }
  }
  const scope = new Scope();
  sealNetwork(scope);
  expect(scope.fetch).toBeUndefined();
  expect(() => Object.assign(scope, { fetch: () => "an answer" })).toThrow(TypeError);
  expect(() => Object.defineProperty(scope, "fetch", { value: () => "an answer" })).toThrow(TypeError);
  expect(Reflect.deleteProperty(scope, "fetch")).toBe(false);
  expect(scope.setTimeout()).toBe("a timer");
});
