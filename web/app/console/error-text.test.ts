import { expect, test } from "vitest";
import { errorText } from "./error-text.ts";

test("an error that comes as JSON is told in words", () => {
  const message = 'syntax error at or near "FORM"\n\nLINE 1: SELECT * FORM place\n                 ^';
  const json = { exception_type: "Parser", exception_message: message, position: "9", error_subtype: "SYNTAX_ERROR" };
  expect(errorText(JSON.stringify(json))).toBe(`Parser Error: ${message}`);
  expect(errorText(JSON.stringify({ exception_message: "no kind" }))).toBe("no kind");
});

test.each(['Binder Error: Referenced column "nope" not found', "{not JSON", '{"a":1}', "{}"])(
  "%j stays as it is",
  (message) => {
    expect(errorText(message)).toBe(message);
  },
);
