import { expect, test } from "vitest";
import { codeOf, ERROR_HEADER, ERRORS } from "./error-codes.ts";
import { BUSY, BusyError, errorResponse, failureResponse } from "./errors.ts";

test("every error has the code of its status in a header, and the body of the specification", async () => {
  for (const { status } of Object.values(ERRORS)) {
    const response = errorResponse(status, ["what happened"]);
    expect([response.status, response.headers.get(ERROR_HEADER)]).toEqual([status, codeOf(status)]);
    expect(Object.keys(await response.json())).toEqual(["statusCode", "message", "error"]);
  }
});

test("an overloaded host has a code of its own", () => {
  const busy = failureResponse(new BusyError("16 searches run"), new Request("http://localhost/"), () => {});
  expect([busy.status, busy.headers.get(ERROR_HEADER)]).toEqual([503, "CAIRN_E_BUSY"]);
  expect(BUSY[ERROR_HEADER]).toBe("CAIRN_E_BUSY");
  expect(errorResponse(503, ["no file"]).headers.get(ERROR_HEADER)).toBe("CAIRN_E_DATA");
});

test("codes have their next step, as sentences", () => {
  for (const { happened, allowed, next } of Object.values(ERRORS)) {
    for (const text of [happened, next]) expect(text).toMatch(/^[A-Z].*\.$/);
    expect(allowed).toMatch(/\.$|^-$/);
  }
});
