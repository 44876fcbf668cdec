import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FetchError } from "../../../web/engine/index.ts";
import { COMMAND_ERRORS, CodedError, codeOf } from "./index.ts";

test("an error has its own code, or the code of its nearest cause", () => {
  const disk = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", syscall: "write" });
  expect(codeOf(new CodedError("CAIRN_E_SOURCE", "no columns", { cause: disk }))).toBe("CAIRN_E_SOURCE");
  expect(codeOf(new Error("the work ended", { cause: disk }))).toBe("CAIRN_E_DISK_FULL");
  expect(codeOf(new FetchError("no file", { path: "a" }))).toBe("CAIRN_E_DATA");
});

test("system errors have codes", async () => {
  const missing = await readFile("/proc/none").catch((error: unknown) => error);
  expect(codeOf(missing)).toBe("CAIRN_E_NO_FILE");
  const other = Object.assign(new Error("EWHATEVER"), { code: "EWHATEVER", syscall: "open" });
  expect(codeOf(other)).toBe("CAIRN_E_SYSTEM");
  const fetched = new TypeError("fetch failed", {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  });
  expect(codeOf(fetched)).toBe("CAIRN_E_NETWORK");
});

test("an error of the program is not a failure of the work", () => {
  expect(codeOf(new TypeError("x is not a function"))).toBe("CAIRN_E_INTERNAL");
  expect(codeOf(new Error("it ends too early"))).toBe("CAIRN_E_FAILED");
  expect(codeOf("no error at all")).toBe("CAIRN_E_FAILED");
  expect(codeOf(new RangeError("Array buffer allocation failed"))).toBe("CAIRN_E_MEMORY");
});

test("a cause that leads back to its error ends", () => {
  const error = new Error("again");
  error.cause = error;
  expect(codeOf(error)).toBe("CAIRN_E_FAILED");
});

test("codes have what happened and the next step, as sentences", () => {
  for (const { happened, allowed, next } of Object.values(COMMAND_ERRORS)) {
    for (const text of [happened, next]) expect(text).toMatch(/^[A-Z].*\.$/);
    expect(allowed).toMatch(/\.$|^-$/);
  }
});
