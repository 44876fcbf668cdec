/**
 * The shape of all errors.
 * @module
 */
import { type Answer, jsonOf } from "./client.ts";
import { expect } from "./expect.ts";
import { isObject } from "./json.ts";

/** Returns the lines of an error with this status. Throws for any other answer. */
export function expectError(answer: Answer, status: number): string[] {
  const where = answer.request;
  expect.equal(`${where}: status`, answer.status, status, answer.text);
  const type = answer.headers.get("Content-Type") ?? "";
  expect.true(`${where}: Content-Type`, /^application\/json\s*(;|$)/.test(type), type, "application/json");
  const body = jsonOf(answer);
  if (!isObject(body)) throw expect.mismatch(`${where}: body`, body, "an object");
  expect.equal(`${where}: keys`, Object.keys(body).sort().join(), "error,message,statusCode");
  const { statusCode, message, error } = body;
  expect.equal(`${where}: statusCode`, statusCode, status);
  expect.true(`${where}: error`, typeof error === "string" && error !== "", error, "text");
  const lines = Array.isArray(message) ? message.filter((line) => typeof line === "string" && line !== "") : [];
  const isList = Array.isArray(message) && lines.length === message.length && lines.length > 0;
  expect.true(`${where}: message`, isList, message, "a list of texts");
  return lines;
}
