/**
 * Credits for the sources of records, as written into files.
 * @module
 */
import type { Manifest } from "../../data/format/manifest.ts";

/** The release of a dataset and its sources, as in the manifest. */
export interface Credit extends Pick<Manifest, "release"> {
  readonly attribution: readonly Manifest["attribution"][number][];
}

/** Returns a line for each source: its text, then in brackets its licence, then its URL if it has one. */
export function creditLines({ attribution }: Credit): string[] {
  return attribution.map(({ text, license, url }) =>
    onOneLine(`${text} (${license})${url === undefined ? "" : ` ${url}`}`),
  );
}

/** Returns the text with a space for each run of control characters and line ends, without spaces at its ends. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
