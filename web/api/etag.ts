/**
 * Entity tags: a page of a release never changes, so a tag is known before the search is run.
 * @module
 */
import type { Manifest } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";

/** Raise when the same search over the same dataset is written differently. */
const BODY_VERSION = 2;

const datasetTags = new WeakMap<Manifest, Promise<string>>();

/** The strong tag of the answer to this path and query over this dataset. */
export async function entityTag(manifest: Manifest, url: URL): Promise<string> {
  const dataset = datasetTags.get(manifest) ?? digest(JSON.stringify(manifest));
  datasetTags.set(manifest, dataset);
  const query = [...url.searchParams].filter(([name]) => name !== "api_key");
  return `"${await digest(JSON.stringify([BODY_VERSION, await dataset, url.pathname, query]))}"`;
}

/** Whether an `If-None-Match` header names the tag. @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === tag);
}

async function digest(text: string): Promise<string> {
  return (await sha256Of(new TextEncoder().encode(text))).slice(0, 24);
}
