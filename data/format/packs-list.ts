/** The list of area files that stand ready to take, beside a dataset. @module */
import * as z from "zod/mini";
import { valid } from "./valid.ts";

export const PACKS_LIST_PATH = "packs.json";

const FORMAT = "cairn-packs";
const VERSION = 1;

const pack = z.object({
  /** As the page calls it. */
  name: z.string().check(z.minLength(1), z.maxLength(500)),
  /** Of a file beside the list. */
  file: z.string().check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}.,_-]*\.cairn\.tar$/u)),
  bytes: z.int().check(z.nonnegative()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Of the dataset that it is of. */
  release: z.string().check(z.minLength(1)),
});
const list = z.object({ format: z.literal(FORMAT), version: z.literal(VERSION), packs: z.array(pack) });

export type AreaPack = z.infer<typeof pack>;

/** Throws, saying what is wrong, when the text is no such list. */
export function parsePacksList(text: string): readonly AreaPack[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${PACKS_LIST_PATH} is not JSON, it begins with ${JSON.stringify(text.slice(0, 40))}`, { cause });
  }
  return valid(PACKS_LIST_PATH, list, value).packs;
}

/** Packs stand in the order of their files' names; of two of one file the later is kept. */
export function writePacksList(packs: readonly AreaPack[]): string {
  const byFile = new Map(packs.map((one) => [one.file, one]));
  const sorted = [...byFile.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, packs: sorted }, null, 2)}\n`;
}
