/** Collects attribution: from `attribution.json`, and for every dataset named in rows. @module */
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { Attribution } from "../../data/format/manifest.ts";
import type { Database } from "../database/index.ts";
import { CodedError } from "../errors/index.ts";
import { isAddress } from "./remote-sources.ts";
import { ATTRIBUTION_FILE, readNextToSources, type SourceFile } from "./sources.ts";

const attributions = z.array(
  z.object({
    dataset: z.string(),
    license: z.string(),
    text: z.string(),
    url: z.url({ protocol: /^https?$/ }).optional(),
  }),
);

/** Reads all `attribution.json` from the files' folders up to the source argument, the nearest first. */
export async function readAttributions(files: readonly SourceFile[]): Promise<Attribution[]> {
  const onDisk = files.filter(({ path }) => !isAddress(path));
  const folders = new Set(onDisk.flatMap(({ path, root }) => foldersUpTo(dirname(path), root)));
  const found: Attribution[] = [];
  for (const folder of folders) found.push(...(await readAttribution(join(folder, ATTRIBUTION_FILE))));
  return found;
}

function foldersUpTo(folder: string, root: string): string[] {
  return relative(root, folder) === "" ? [folder] : [folder, ...foldersUpTo(dirname(folder), root)];
}

async function readAttribution(path: string): Promise<Attribution[]> {
  const text = await readNextToSources(path);
  if (text === undefined) return [];
  try {
    return attributions.parse(JSON.parse(text)) as Attribution[];
  } catch (cause) {
    throw new CodedError("CAIRN_E_SOURCE", `${path}: not a list of {dataset, license, text, url?}, url http or https`, {
      cause,
    });
  }
}

export interface Citation {
  readonly dataset: string;
  readonly license: string | null;
  readonly rows: number;
}

/** Reads the datasets and licences named in rows. */
export async function readCitations(database: Database, table: string): Promise<Citation[]> {
  return database.rows<Citation>(`
    SELECT source.dataset AS dataset, source.license AS license, count(*) AS rows
    FROM (SELECT unnest(sources) AS source FROM ${table}) WHERE source.dataset IS NOT NULL GROUP BY ALL ORDER BY ALL`);
}

/** Returns one entry per dataset: the first that was read, or the one from rows. */
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
