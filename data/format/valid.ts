/** Validates the content of files with schemas. @module */
import { en } from "zod/locales";
import * as z from "zod/mini";

// The small build of the library has no error messages.
z.config(en());

/**
 * Returns what the schema makes of the value. If the value does not match, throws an error with `name` and every fault.
 */
export function valid<T>(name: string, schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name} is not valid: ${z.prettifyError(result.error).replaceAll("\n", " ")}`);
}
