/**
 * Describes the dataset as a static STAC catalogue, for tools that do not know the manifest: a collection for each
 * type, with an Item for each pack of the primary copy. @see https://github.com/radiantearth/stac-spec @module
 */

import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BBox, bboxUnion, boxRing, splitAtAntimeridian } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { writeJson } from "../../../data/format/json.ts";
import {
  type Attribution,
  type IndexNode,
  isPage,
  type LocationNode,
  type Manifest,
} from "../../../data/format/manifest.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { locationPackPath, STAC_CATALOG_PATH, STAC_FOLDER } from "../../../data/format/paths.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { makeFolder } from "../../base/disk/index.ts";
import { pageReader, type ReadPage } from "./slices.ts";

const STAC_VERSION = "1.1.0";
const EXTENSIONS = ["https://stac-extensions.github.io/table/v1.2.0/schema.json"];
const GEOJSON = "application/geo+json";
const PARQUET = "application/vnd.apache.parquet";
/** About 700 bytes each. Tools read these files completely. */
const MAX_ITEMS = 1000;

export interface StacFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the STAC catalogue of the dataset into the folder. */
export async function writeStac(
  folder: string,
  manifest: Manifest,
  readPage: ReadPage = pageReader(folder),
): Promise<void> {
  for await (const { path, text } of stacFiles(manifest, readPage)) {
    await makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
}

/** Yields the files of the dataset's STAC catalogue. The same dataset gives the same files. */
export async function* stacFiles(manifest: Manifest, readPage: ReadPage): AsyncGenerator<StacFile> {
  const names = Object.keys(manifest.collections);
  for (const name of names) yield* collectionFiles(manifest, name, readPage);
  yield file(STAC_CATALOG_PATH, {
    type: "Catalog",
    stac_version: STAC_VERSION,
    id: "cairn",
    title: "Cairn",
    description: `Overture-schema map data as GeoParquet, by country and geohash; release ${manifest.release}.`,
    links: [
      link("root", "./catalog.json"),
      ...names.map((name) => link("child", `./${STAC_FOLDER}/${name}/collection.json`, name)),
    ],
  });
}

async function* collectionFiles(
  manifest: Manifest,
  name: CollectionName,
  readPage: ReadPage,
): AsyncGenerator<StacFile> {
  const collection = manifest.collections[name];
  if (!collection) return;
  const { theme, type, columns } = collectionIn(manifest, name);
  const folder = `${STAC_FOLDER}/${name}`;
  const lists: string[] = [];
  const names: string[] = [];
  let items: string[] = [];
  const take = (): StacFile => {
    const path = lists.length === 0 ? "items.json" : `items-${lists.length + 1}.json`;
    lists.push(path);
    const features = items.join(",\n");
    items = [];
    return { path: `${folder}/${path}`, text: `{"type":"FeatureCollection","features":[\n${features}\n]}\n` };
  };
  for (const pack of await packsOf(name, collection.runs.location.nodes, readPage)) {
    const item = itemOf(name, pack);
    // One line: with indentation it has twice the bytes.
    const text = JSON.stringify(item);
    const path = `${item.id}.json`;
    names.push(path);
    items.push(text);
    yield { path: `${folder}/${path}`, text: `${text}\n` };
    if (items.length === MAX_ITEMS) yield take();
  }
  if (items.length > 0) yield take();
  yield file(`${folder}/collection.json`, {
    type: "Collection",
    stac_version: STAC_VERSION,
    stac_extensions: EXTENSIONS,
    id: name,
    title: name,
    description: `${theme === "own" ? `The table ${name}` : `Overture's ${type} of theme ${theme}`}, ${collection.rows} rows as GeoParquet 1.1. The column country is the name of a folder, as Hive has it.`,
    license: licenseOf(manifest.attribution),
    providers: manifest.attribution.map(({ dataset, license, text, url }) => ({
      name: dataset,
      description: `${text} (${license})`,
      roles: ["licensor"],
      ...(url ? { url } : {}),
    })),
    // An open interval, because the data has no dates.
    extent: { spatial: { bbox: [collection.bbox] }, temporal: { interval: [[null, null]] } },
    keywords: ["Overture", theme, name],
    "table:row_count": collection.rows,
    "table:primary_geometry": "geometry",
    "table:columns": columns.map(({ name, type, doc }) => ({ name, type, description: doc })),
    summaries: { country: Object.keys(collection.countries) },
    links: [
      link("root", "../../catalog.json"),
      link("parent", "../../catalog.json"),
      // One link per Item, for tools that only follow links, and the item files, for few requests.
      ...names.map((path) => ({ ...link("item", `./${path}`), type: GEOJSON })),
      ...lists.map((path) => ({ ...link("items", `./${path}`), type: GEOJSON })),
      ...licenseLinks(manifest),
    ],
  });
}

interface Pack extends Pick<LocationNode, "country" | "pack" | "rows" | "bbox"> {}

/** Packs of the primary copy in the order of their paths. */
async function packsOf(name: CollectionName, nodes: readonly IndexNode[], readPage: ReadPage): Promise<Pack[]> {
  const slices = new Map<string, LocationNode[]>();
  for await (const node of walkIndex(nodes, (page) => readPage(name, page))) {
    if (isPage(node) || !("points" in node)) continue;
    const path = locationPackPath(name, node);
    const known = slices.get(path);
    if (known) known.push(node);
    else slices.set(path, [node]);
  }
  return [...slices.keys()].sort().flatMap((path) => {
    const mine = slices.get(path) ?? [];
    const [first] = mine;
    if (!first) return [];
    const rows = mine.reduce((sum, slice) => sum + slice.rows, 0);
    return [{ country: first.country, pack: first.pack, rows, bbox: bboxUnion(mine.map(({ bbox }) => bbox)) }];
  });
}

function itemOf(name: CollectionName, pack: Pack) {
  const path = locationPackPath(name, pack);
  return {
    type: "Feature",
    stac_version: STAC_VERSION,
    stac_extensions: EXTENSIONS,
    id: `${name}-${pack.country}-${pack.pack.replace("/", "-")}`,
    collection: name,
    bbox: pack.bbox,
    geometry: areaOf(pack.bbox),
    // STAC requires a date, but the data has none.
    properties: {
      datetime: null,
      start_datetime: "1970-01-01T00:00:00Z",
      end_datetime: "9999-12-31T23:59:59Z",
      country: pack.country,
      "table:row_count": pack.rows,
      "table:primary_geometry": "geometry",
    },
    links: [
      link("root", "../../catalog.json"),
      link("parent", "./collection.json"),
      link("collection", "./collection.json"),
    ],
    assets: { data: { href: `../../${path}`, type: PARQUET, roles: ["data"] } },
  };
}

function areaOf(bbox: BBox): object {
  const polygons = splitAtAntimeridian(bbox).map((box) => [boxRing(box)]);
  const [only] = polygons;
  return polygons.length === 1
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates: polygons };
}

const isSpdx = (license: string) => /^[A-Za-z][\w+]*(-[\w.+]+)*-\d[\w.]*$/.test(license);

/** The licence of all sources, or STAC's value for several, which providers and links list. */
function licenseOf(attribution: readonly Attribution[]): string {
  const [first, ...others] = new Set(attribution.map(({ license }) => license));
  return first !== undefined && others.length === 0 && isSpdx(first) ? first : "other";
}

function licenseLinks({ attribution }: Manifest): object[] {
  const known = new Set(attribution.map(({ license }) => license).filter(isSpdx));
  return [...known].sort().map((id) => ({
    rel: "license",
    href: `https://spdx.org/licenses/${id}.html`,
    type: "text/html",
    title: id,
  }));
}

function link(rel: string, href: string, title?: string): object {
  return { rel, href, type: "application/json", ...(title === undefined ? {} : { title }) };
}

function file(path: string, value: object): StacFile {
  return { path, text: `${writeJson(value)}\n` };
}
