/** Values of files, checked by schemas. @module */
import { en } from "zod/locales";
import * as z from "zod/mini";

// The library's small build has no words of its own for what is wrong.
z.config(en());

/** The value as the schema has it. Throws with every fault named. */
export function valid<T>(name: string, schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name} is not valid: ${z.prettifyError(result.error).replaceAll("\n", " ")}`);
}
