import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attribution } from "../../../data/format/manifest.ts";
import type { ExtractPlan } from "../../../data/release/index.ts";
import { exists, makeFolder, parseJson, readOptional, writeWhole } from "../../base/disk/index.ts";
import { ATTRIBUTION_FILE, type Citation, EXTRACT_FILE, mergeAttribution } from "../extract/index.ts";
import { type Extract, type ExtractSource, hashArea, planPath, readExtract, sourceOf } from "./extract-folder.ts";
import { type FileFacts, madePath } from "./fetch-extract.ts";

/** A finished download: its work folder, its plan, and the facts of its files. */
export interface Made {
  readonly work: string;
  readonly plan: ExtractPlan;
  readonly facts: readonly FileFacts[];
}

/**
 * Moves the downloaded files into the extract, then writes the attribution, then `extract.json`. Types and attribution
 * of an extract in the folder stay. An interrupted call can be repeated.
 */
export async function finish(out: string, { work, plan, facts }: Made): Promise<Extract> {
  const held = await readExtract(out);
  for (const file of facts.filter(({ rows }) => rows > 0)) {
    const made = madePath(work, file);
    await makeFolder(dirname(join(out, file.path)));
    if (await exists(made)) await rename(made, join(out, file.path));
  }
  const types = plan.types.map(({ type, license }) => {
    const mine = facts.filter((file) => file.type === type && file.rows > 0);
    const sum = (member: "rows" | "bytes"): number => mine.reduce((total, file) => total + file[member], 0);
    return [type, { license, files: mine.length, rows: sum("rows"), bytes: sum("bytes") }] as const;
  });
  const cited = plan.types.map(({ type, license }) => ({
    license,
    citations: facts.filter((file) => file.type === type).flatMap(({ citations }) => citations),
  }));
  const older = await readOptional(join(out, ATTRIBUTION_FILE));
  const attributions = attributionsOf(cited);
  const before = older === undefined ? [] : (parseJson(join(out, ATTRIBUTION_FILE), older) as typeof attributions);
  const added = attributions.filter(({ dataset }) => !before.some((entry) => entry.dataset === dataset));
  await writeWhole(join(out, ATTRIBUTION_FILE), `${JSON.stringify([...before, ...added], null, 2)}\n`);
  const sources = plan.files.flatMap((file): ExtractSource[] => {
    const source = sourceOf(file);
    const rows = facts.find(({ path }) => path === file.path)?.rows;
    return source && rows !== undefined ? [{ path: file.path, rows, ...source }] : [];
  });
  const { label, bbox } = plan.area;
  const extract: Extract = {
    release: plan.release,
    area: { label, bbox: [...bbox], sha256: hashArea(plan.area) },
    types: { ...held?.types, ...Object.fromEntries(types) },
    sources: [...(held?.sources ?? []), ...sources],
  };
  await writeWhole(join(out, EXTRACT_FILE), `${JSON.stringify(extract, null, 2)}\n`);
  await rm(planPath(work));
  return extract;
}

/** @see https://docs.overturemaps.org/attribution/ */
const KNOWN: readonly Attribution[] = [
  attribution("OpenStreetMap", "ODbL-1.0", "© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright"),
  attribution("meta", "CDLA-Permissive-2.0", "Meta (Overture places)", "https://overturemaps.org"),
  attribution("Microsoft", "CDLA-Permissive-2.0", "Microsoft (Overture places)", "https://overturemaps.org"),
  attribution("Foursquare", "Apache-2.0", "Foursquare OS Places", "https://opensource.foursquare.com/os-places/"),
  attribution("AllThePlaces", "CC0-1.0", "All The Places", "https://www.alltheplaces.xyz"),
  attribution(
    "Microsoft ML Buildings",
    "ODbL-1.0",
    "Microsoft Building Footprints",
    "https://github.com/microsoft/GlobalMLBuildingFootprints",
  ),
  attribution(
    "Google Open Buildings",
    "CC-BY-4.0",
    "Google Open Buildings",
    "https://sites.research.google/open-buildings/",
  ),
  attribution("Esri Community Maps", "CC-BY-4.0", "Esri Community Maps contributors", "https://www.esri.com"),
  attribution("TomTom", "ODbL-1.0", "TomTom (Overture transportation)", "https://overturemaps.org"),
  attribution("geoBoundaries", "CC-BY-4.0", "geoBoundaries", "https://www.geoboundaries.org"),
  attribution("GeoNames", "CC-BY-4.0", "GeoNames", "https://www.geonames.org"),
  attribution("Natural Earth", "Public Domain", "Natural Earth", "https://www.naturalearthdata.com"),
];

function attribution(dataset: string, license: string, text: string, url: string): Attribution {
  return { dataset, license, text, url };
}

/** What the rows of a type name as sources. `license` is for rows that name none. */
interface TypeCitations {
  readonly license: string;
  readonly citations: readonly Citation[];
}

function attributionsOf(types: readonly TypeCitations[]): Attribution[] {
  const citations = types.flatMap(({ license, citations: mine }) =>
    mine.map((citation) => ({ ...citation, license: citation.license ?? (license === "other" ? null : license) })),
  );
  const cited = new Set(citations.map(({ dataset }) => dataset));
  const known = KNOWN.filter(({ dataset }) => cited.has(dataset));
  const overture = attribution("Overture", "see the datasets", "Overture Maps Foundation", "https://overturemaps.org");
  return mergeAttribution([overture, ...known], citations);
}
