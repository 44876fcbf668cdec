/**
 * JSON values, and safe access to values in untrusted JSON.
 * @module
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Returns a non-empty text, otherwise undefined. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a list; an empty one for other values. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an object, otherwise undefined. */
export function objectOf(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : undefined;
}
