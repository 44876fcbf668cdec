/**
 * Writes measurement reports into a document, each between two marks.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";

export interface Section {
  /** Name in the marks: `<!-- name: written by command -->`, `<!-- name: end -->`. */
  readonly name: string;
  readonly command: string;
  /** Written before new marks. */
  readonly heading: string;
}

/** Writes the report between its marks, or adds it at the end of the document. */
export async function writeSection(document: string, section: Section, report: string): Promise<void> {
  const text = await readFile(document, "utf8").catch(() => "# Benchmarks\n");
  await writeFile(document, withSection(text, section, report));
}

/** Returns the text with the report. Throws if one of the marks is missing. */
export function withSection(text: string, { name, command, heading }: Section, report: string): string {
  const [begin, end] = [`<!-- ${name}: written by ${command} -->`, `<!-- ${name}: end -->`];
  const marked = `${begin}\n${report}\n${end}`;
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start === -1 && stop === -1) return `${text.trimEnd()}\n\n${heading}\n\n${marked}\n`;
  if (start === -1 || stop < start) throw new Error(`expected ${begin} and after it ${end}, found one of them alone`);
  return text.slice(0, start) + marked + text.slice(stop + end.length);
}
