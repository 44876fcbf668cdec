/**
 * The folder of an extract (the rows of an area of an Overture release, as files): names of its files, and the
 * attribution of its rows.
 * @module
 */
import type { Attribution } from "../../../data/format/manifest.ts";
import type { Database } from "../../base/database/index.ts";

export const ATTRIBUTION_FILE = "attribution.json";

/** Description of the extract: release, area, types. Written last, so it marks the folder as complete. */
export const EXTRACT_FILE = "extract.json";

/** Folder in the extract's folder with the files of an unfinished download. */
export const UNDER_WAY_FOLDER = ".get";

/** A dataset and licence that rows name as a source. `rows` is the number of mentions. */
export interface Citation {
  readonly dataset: string;
  readonly license: string | null;
  readonly rows: number;
}

/**
 * Returns the datasets and licences that the column `sources` of a table names, with the number of mentions, by
 * dataset. `table` is SQL for a table. Rows without a dataset are left out.
 */
export async function readCitations(database: Database, table: string): Promise<Citation[]> {
  return database.rows<Citation>(`
    SELECT source.dataset AS dataset, source.license AS license, count(*) AS rows
    FROM (SELECT unnest(sources) AS source FROM ${table}) WHERE source.dataset IS NOT NULL GROUP BY ALL ORDER BY ALL`);
}

/**
 * Returns one attribution per dataset: the first one in `read`, then by name the datasets that only rows name. These
 * have the most frequent licence of their rows, or `unknown`.
 */
export function mergeAttribution(read: readonly Attribution[], citations: readonly Citation[]): Attribution[] {
  const merged = new Map<string, Attribution>();
  for (const entry of read) if (!merged.has(entry.dataset)) merged.set(entry.dataset, entry);
  const datasets = [...new Set(citations.map(({ dataset }) => dataset))].sort();
  for (const dataset of datasets) {
    if (merged.has(dataset)) continue;
    merged.set(dataset, { dataset, license: usualLicense(dataset, citations), text: dataset });
  }
  return [...merged.values()];
}

function usualLicense(dataset: string, citations: readonly Citation[]): string {
  const rows = new Map<string, number>();
  for (const citation of citations) {
    if (citation.dataset !== dataset || !citation.license) continue;
    rows.set(citation.license, (rows.get(citation.license) ?? 0) + citation.rows);
  }
  const [first] = [...rows].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? "unknown";
}
