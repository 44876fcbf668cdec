/**
 * The Link header of RFC 8288.
 * @module
 */
import type { Answer } from "./client.ts";
import { expect } from "./expect.ts";

/** Link targets by relation. Relative targets are resolved against the request. */
export function parseLinks({ headers, request, path }: Answer): Map<string, URL> {
  const text = headers.get("Link");
  if (text === null) throw expect.mismatch(`${request}: Link`, "no header", "links");
  const links = new Map<string, URL>();
  for (const entry of text.split(/,\s*(?=<)/)) {
    const [, target, parameters = ""] = /^<([^>]*)>((?:\s*;\s*[^;]+)+)$/.exec(entry.trim()) ?? [];
    const rel = /;\s*rel=(?:"([^"]+)"|([^\s;"]+))/.exec(parameters);
    if (target === undefined || !rel) throw expect.mismatch(`${request}: Link`, entry, '<target>; rel="relation"');
    for (const name of (rel[1] ?? rel[2] ?? "").split(" ")) links.set(name, new URL(target, `http://host${path}`));
  }
  return links;
}
