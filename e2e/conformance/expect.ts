/**
 * Assertions with expected and actual values in the message.
 * @module
 */
import { difference, type Json, show } from "./json.ts";

/** A failed check. The message is one line. */
export class Mismatch extends Error {}

/** A check that does not apply to this transport or these sources. */
export class NotApplicable extends Error {}

function mismatch(what: string, got: unknown, expected: string): Mismatch {
  return new Mismatch(`${what}: expected ${expected}, got ${typeof got === "string" ? got.slice(0, 300) : show(got)}`);
}

export const expect = {
  mismatch,
  /** Throws unless equal, with `context` in the message. */
  equal(what: string, got: unknown, expected: unknown, context = ""): void {
    if (Object.is(got, expected)) return;
    const cited = context === "" ? "" : ` (${context.slice(0, 300)})`;
    throw new Mismatch(`${what}: expected ${show(expected)}, got ${show(got)}${cited}`);
  },
  /** Throws unless the JSON values are equal, regardless of key order. */
  same(what: string, got: Json | undefined, expected: Json | undefined): void {
    const found = difference(got, expected);
    if (found !== undefined) throw new Mismatch(`${what}: ${found}`);
  },
  true(what: string, holds: boolean, got: unknown, expected: string): void {
    if (!holds) throw mismatch(what, got, expected);
  },
};
