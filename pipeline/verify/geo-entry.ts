/** The key-value entries that GeoParquet and the specification want. @module */
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FORMAT_VERSION } from "../../data/format/manifest.ts";

const EDGES = ["xmin", "ymin", "xmax", "ymax"] as const;

interface GeoColumn {
  readonly encoding?: unknown;
  readonly geometry_types?: unknown;
  readonly bbox?: unknown;
  readonly covering?: { readonly bbox?: Readonly<Record<string, unknown>> };
  readonly edges?: unknown;
  readonly crs?: unknown;
}

/** What is wrong with the entry `geo`; undefined when it tells these kinds and this box. @see https://geoparquet.org/releases/v1.1.0/ */
export function geoFault(texts: readonly string[], kinds: readonly string[], bbox: BBox): string | undefined {
  const geo = parseOne(texts);
  if (!geo) return `${texts.length} entries geo that are JSON, expected one`;
  const { version, primary_column, columns } = geo;
  const column = (columns as Readonly<Record<string, GeoColumn>> | undefined)?.geometry ?? {};
  const { encoding, geometry_types, covering, edges, crs } = column;
  const types = Array.isArray(geometry_types) ? [...geometry_types].sort() : geometry_types;
  const facts: readonly (readonly [what: string, expected: unknown, got: unknown])[] = [
    ["version", "1.1.0", version],
    ["primary_column", "geometry", primary_column],
    ["encoding", "WKB", encoding],
    ["edges", "planar", edges ?? "planar"],
    ["crs", "none", crs === undefined ? "none" : crs],
    ["geometry_types", [...kinds].sort(), types],
    ["bbox", bbox, column.bbox],
    ["covering", EDGES.map((edge) => ["bbox", edge]), EDGES.map((edge) => covering?.bbox?.[edge])],
  ];
  const wrong = facts.find(([, expected, got]) => JSON.stringify(expected) !== JSON.stringify(got));
  return wrong && `geo has ${wrong[0]} ${JSON.stringify(wrong[2])}, expected ${JSON.stringify(wrong[1])}`;
}

/** What is wrong with the entry `cairn`: what a file's path says, for a file that travels alone. */
export function cairnFault(texts: readonly string[], collection: CollectionName, country: string): string | undefined {
  const entry = parseOne(texts);
  const sorted = entry && Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  const [expected, got] = [{ collection, country, format_version: FORMAT_VERSION }, sorted].map((value) =>
    JSON.stringify(value),
  );
  return expected === got ? undefined : `cairn is ${got ?? texts.join(" and ")}, expected ${expected}`;
}

function parseOne(texts: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (texts.length !== 1) return undefined;
  try {
    const value: unknown = JSON.parse(texts[0] ?? "");
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
