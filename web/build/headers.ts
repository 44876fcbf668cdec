/**
 * How a static host should send each file: one table, from which the header files of hosts are written.
 * @module
 */
import { contentSecurityPolicy, DATASET_POLICY, IMMUTABLE, MEDIA_TYPES, REVALIDATE } from "../hosts/http/index.ts";

interface HeaderRule {
  /** Path below the site's folder; `*` stands for anything. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What every host must send besides the media types that it knows. */
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
      // of two policies both hold
      "Content-Security-Policy": DATASET_POLICY,
      // else pages of other origins do not see which range it is
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
  // made anew with every release, under the same names
  { path: "/dataset/catalog.json", headers: { "Cache-Control": REVALIDATE } },
  { path: "/dataset/stac/*", headers: { "Cache-Control": REVALIDATE } },
];

/**
 * Collections stand in folders of their own: what lies in them has a hash in its name. `elsewhere` are addresses that the
 * page may ask besides: of a dataset, of a release.
 */
export function headerRules(
  collections: readonly string[],
  ...elsewhere: readonly (string | undefined)[]
): HeaderRule[] {
  const folders = collections.map((name) => ({ path: `/dataset/${name}/*`, headers: { "Cache-Control": IMMUTABLE } }));
  return [...headersOf(elsewhere), ...folders];
}

/**
 * A `_headers` file, as Netlify and Cloudflare Pages read it. Where several rules fit a path, both join the values of one
 * header: so no two fitting rules name the same, but for policies.
 */
export function headersFile(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join("\n"),
    )
    .join("\n\n")
    .concat("\n");
}
