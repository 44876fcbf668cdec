import { type FormatName, formatNamed } from "../../search/index.ts";

/** Longer names are refused by some systems. */
const MOST_CHARS = 80;

/** Returns a name such as `Cafe-1-km-around-Boulder.csv`, from the words of a search. */
export function exportFileName(words: readonly string[], format: FormatName): string {
  const plain = words
    .join(" ")
    .replace(/[^\p{L}\p{M}\p{N}.]+/gu, "-")
    .slice(0, MOST_CHARS)
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain || "export"}.${formatNamed(format).extension}`;
}

/** Returns the name of the file with sources and licences. */
export function attributionFileName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "")}-sources.txt`;
}
