/**
 * What files say of where their records come from.
 * @module
 */
import type { Manifest } from "../../data/format/manifest.ts";

/** What the manifest says of the dataset's sources. */
export type Credit = Pick<Manifest, "release" | "attribution">;

/** A line for each source: its text, the licence, a link. */
export function creditLines({ attribution }: Credit): string[] {
  return attribution.map(({ text, license, url }) =>
    onOneLine(`${text} (${license})${url === undefined ? "" : ` ${url}`}`),
  );
}

/** Control characters could add lines, or turn the direction of others. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
