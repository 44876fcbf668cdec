/**
 * Values of JSON, and what strangers wrote read as what it should be.
 * @module
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A text that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A list; empty for all else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : undefined;
}
