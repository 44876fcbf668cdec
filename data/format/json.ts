/**
 * JSON values, and safe access to values in untrusted JSON.
 * @module
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Returns the value if it is a non-empty text, otherwise undefined. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is an object, otherwise undefined. Lists are no objects. */
export function objectOf(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : undefined;
}

/**
 * Returns compact, readable JSON: lists and objects nested less than three levels deep are on one line. Further lines
 * start with `indent`.
 */
export function writeJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null || heightOf(value) < 3) return JSON.stringify(value);
  const inner = `${indent} `;
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + writeJson(item, inner)).join(",\n")}\n${indent}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${writeJson(item, inner)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function heightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((height, member) => Math.max(height, heightOf(member)), 0);
}
