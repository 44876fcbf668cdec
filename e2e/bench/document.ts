/**
 * Reports of measurements in a document of ours: each between two marks, so that what stands around them stays.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";

export interface Section {
  /** Stands in the marks: `<!-- name: written by command -->`, `<!-- name: end -->`. */
  readonly name: string;
  readonly command: string;
  /** Put before the marks when they are not there yet. */
  readonly heading: string;
}

export const BENCHMARKS = "docs/benchmarks.md";

/** Puts the report between its marks in the document; at the end when they are not there yet. */
export async function writeSection(document: string, section: Section, report: string): Promise<void> {
  const text = await readFile(document, "utf8").catch(() => "# Benchmarks\n");
  await writeFile(document, withSection(text, section, report));
}

/** The text with the report in its place. Throws when one of the marks is missing. */
export function withSection(text: string, { name, command, heading }: Section, report: string): string {
  const [begin, end] = [`<!-- ${name}: written by ${command} -->`, `<!-- ${name}: end -->`];
  const marked = `${begin}\n${report}\n${end}`;
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start === -1 && stop === -1) return `${text.trimEnd()}\n\n${heading}\n\n${marked}\n`;
  if (start === -1 || stop < start) throw new Error(`expected ${begin} and after it ${end}, found one of them alone`);
  return text.slice(0, start) + marked + text.slice(stop + end.length);
}
