/**
 * How a static host should send each file: one table, from which the header files of hosts are written.
 * @module
 */
import { TABLES_FOLDER } from "../../data/format/table-facets.ts";
import { contentSecurityPolicy, DATASET_POLICY, IMMUTABLE, MEDIA_TYPES, REVALIDATE } from "../hosts/http/index.ts";

interface HeaderRule {
  /** Path below the folder of the site. `*` matches any text. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that every host must send, in addition to the media types that it knows. */
const headersOf = (elsewhere: readonly (string | undefined)[]): readonly HeaderRule[] => [
  {
    path: "/*",
    headers: {
      "Access-Control-Allow-Origin": "*",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": contentSecurityPolicy("site", ...elsewhere),
    },
  },
  {
    path: "/dataset/*",
    headers: {
      // if there are two policies both apply
      "Content-Security-Policy": DATASET_POLICY,
      // otherwise pages of other origins cannot read it
      "Access-Control-Expose-Headers": "Content-Range, ETag",
    },
  },
  { path: "/", headers: { "Cache-Control": REVALIDATE } },
  { path: "/index.html", headers: { "Cache-Control": REVALIDATE } },
  { path: "/service-worker.js", headers: { "Cache-Control": REVALIDATE } },
  { path: "/embed/cairn.js", headers: { "Cache-Control": REVALIDATE } },
  { path: "/embed/cairn-map.js", headers: { "Cache-Control": REVALIDATE } },
  { path: "/embed/assets/*", headers: { "Cache-Control": IMMUTABLE } },
  { path: "/assets/*", headers: { "Cache-Control": IMMUTABLE } },
  { path: "/dataset/manifest.json", headers: { "Cache-Control": REVALIDATE } },
  { path: "/dataset/*.parquet", headers: { "Content-Type": MEDIA_TYPES[".parquet"] } },
  { path: "/dataset/*.pack", headers: { "Content-Type": MEDIA_TYPES[".pack"] } },
  // another key may sign the same manifest later
  { path: "/dataset/kept/*.sig", headers: { "Cache-Control": REVALIDATE } },
  // rewritten with every release under the same names
  { path: "/dataset/catalog.json", headers: { "Cache-Control": REVALIDATE } },
  { path: "/dataset/stac/*", headers: { "Cache-Control": REVALIDATE } },
];

/**
 * Returns the rules of a site. Files in folders of these collections, and column tables, have a hash in their name and never
 * change. `elsewhere` are URLs on other hosts that the page may request, such as a dataset.
 */
export function headerRules(
  collections: readonly string[],
  ...elsewhere: readonly (string | undefined)[]
): HeaderRule[] {
  const names = [...collections, TABLES_FOLDER];
  const folders = names.map((name) => ({ path: `/dataset/${name}/*`, headers: { "Cache-Control": IMMUTABLE } }));
  return [...headersOf(elsewhere), ...folders];
}

/**
 * Returns the rules as a `_headers` file for Netlify and Cloudflare Pages. Both join the values of a header that several matching
 * rules set, so no two matching rules set the same header, except policies.
 */
export function headersFile(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join("\n"),
    )
    .join("\n\n")
    .concat("\n");
}
