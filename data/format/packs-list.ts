/**
 * The file `packs.json` next to a dataset: a list of files for offline use, each with an area of the dataset.
 * @module
 */
import * as z from "zod/mini";
import { valid } from "./valid.ts";

export const PACKS_LIST_PATH = "packs.json";

const FORMAT = "cairn-packs";
const VERSION = 1;

const pack = z.object({
  /** Title in the page. */
  name: z.string().check(z.minLength(1), z.maxLength(500)),
  /** Name of a file in the folder of the list. */
  file: z.string().check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}.,_-]*\.cairn\.tar$/u)),
  bytes: z.int().check(z.nonnegative()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Release of its dataset. */
  release: z.string().check(z.minLength(1)),
});
const list = z.object({ format: z.literal(FORMAT), version: z.literal(VERSION), packs: z.array(pack) });

/** An area file (part of a dataset, for pages without a network) in the list of a folder. */
export type AreaPack = z.infer<typeof pack>;

/** Returns the entries of a list, given its JSON text. Throws with the reason if the text is invalid. */
export function parsePacksList(text: string): readonly AreaPack[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${PACKS_LIST_PATH} is not JSON, it begins with ${JSON.stringify(text.slice(0, 40))}`, { cause });
  }
  return valid(PACKS_LIST_PATH, list, value).packs;
}

/** Returns a list as JSON text, sorted by file name. Of two entries with the same file, the later one is kept. */
export function writePacksList(packs: readonly AreaPack[]): string {
  const byFile = new Map(packs.map((one) => [one.file, one]));
  const sorted = [...byFile.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, packs: sorted }, null, 2)}\n`;
}
