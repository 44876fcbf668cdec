import { type FormatName, formatNamed } from "../../search/index.ts";

/** Maximum length of a name without its ending. Some systems refuse longer names. */
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

/** Returns the name of the text file with sources and licences, such as `Cafe-sources.txt` for `Cafe.csv`. */
export function attributionFileName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "")}-sources.txt`;
}
