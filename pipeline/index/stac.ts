/**
 * The dataset as a static STAC catalogue, for tools that do not know the manifest: a collection for each type, in it
 * one for each part of a country, whose assets are partitions. @see https://github.com/radiantearth/stac-spec @module
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName, isCollectionName } from "../../data/format/collections.ts";
import {
  type Attribution,
  type IndexNode,
  isPage,
  type Manifest,
  type PartitionNode,
  parsePage,
} from "../../data/format/manifest.ts";
import { pagePath, partitionPath, STAC_CATALOG_PATH, STAC_FOLDER } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { writeJson } from "./write-json.ts";

const STAC_VERSION = "1.1.0";
const EXTENSIONS = [
  "https://stac-extensions.github.io/table/v1.2.0/schema.json",
  "https://stac-extensions.github.io/file/v2.1.0/schema.json",
];
const PARQUET = "application/vnd.apache.parquet";
/** Of SHA-256 with 32 bytes. */
const MULTIHASH_PREFIX = "1220";
/** Of some 400 bytes each: tools read these files whole. */
const MAX_ASSETS = 1000;

export interface StacFile {
  readonly path: string;
  readonly text: string;
}

type ReadPage = (path: string) => Promise<readonly IndexNode[]>;

export async function writeStac(folder: string, manifest: Manifest): Promise<void> {
  for await (const { path, text } of stacFiles(manifest, pageReader(folder))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

export function pageReader(folder: string): ReadPage {
  return async (path) => parsePage(JSON.parse(await readFile(join(folder, path), "utf8")));
}

/** The files of the catalogue, a part of a country at a time; the same for the same dataset. */
export async function* stacFiles(manifest: Manifest, readPage: ReadPage): AsyncGenerator<StacFile> {
  const names = Object.keys(manifest.collections).filter(isCollectionName);
  for (const name of names) yield* collectionFiles(manifest, name, readPage);
  yield file(STAC_CATALOG_PATH, {
    type: "Catalog",
    stac_version: STAC_VERSION,
    id: "cairn",
    title: "Cairn",
    description: `Overture-schema map data as GeoParquet, partitioned by country and geohash; release ${manifest.release}.`,
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
  const { theme, columns } = COLLECTIONS[name];
  const folder = `${STAC_FOLDER}/${name}`;
  const parts: string[] = [];
  for await (const { id, country, nodes } of partsOf(name, collection.runs.location.nodes, readPage)) {
    parts.push(id);
    yield file(`${folder}/${id}.json`, {
      ...collectionOf(manifest, `${name}-${id}`, `${name} in ${country}`, bboxUnion(nodes.map(({ bbox }) => bbox))),
      description: `Partitions of ${name} in ${country}, an ISO 3166-1 code; ZZ is no country's.`,
      "table:row_count": nodes.reduce((sum, { rows }) => sum + rows, 0),
      "table:primary_geometry": "geometry",
      links: [link("root", "../../catalog.json"), link("parent", "./collection.json"), ...licenseLinks(manifest)],
      assets: Object.fromEntries(nodes.map((node) => assetOf(name, node))),
    });
  }
  yield file(`${folder}/collection.json`, {
    ...collectionOf(manifest, name, name, collection.bbox),
    description: `Overture's ${COLLECTIONS[name].type} of theme ${theme}, ${collection.rows} rows as GeoParquet 1.1. The column country is the name of a folder, as Hive has it.`,
    keywords: ["Overture", theme, name],
    "table:row_count": collection.rows,
    "table:primary_geometry": "geometry",
    "table:columns": columns.map(({ name, type, doc }) => ({ name, type, description: doc })),
    summaries: { country: Object.keys(collection.countries) },
    links: [
      link("root", "../../catalog.json"),
      link("parent", "../../catalog.json"),
      ...parts.sort().map((id) => link("child", `./${id}.json`, id)),
      ...licenseLinks(manifest),
    ],
  });
}

interface Part {
  /** The country's code, with a number when it needs several parts. */
  readonly id: string;
  readonly country: string;
  readonly nodes: readonly PartitionNode[];
}

/** The location run's partitions by country, as many at a time as one file holds. */
async function* partsOf(name: CollectionName, nodes: readonly IndexNode[], readPage: ReadPage): AsyncGenerator<Part> {
  const held = new Map<string, PartitionNode[]>();
  const parts = new Map<string, number>();
  const take = (country: string): Part => {
    const number = (parts.get(country) ?? 0) + 1;
    parts.set(country, number);
    const taken = held.get(country) ?? [];
    held.delete(country);
    return { id: number === 1 ? country : `${country}-${number}`, country, nodes: taken };
  };
  for await (const node of partitionsOf(name, nodes, readPage)) {
    const waiting = held.get(node.country) ?? [];
    held.set(node.country, waiting);
    if (waiting.push(node) === MAX_ASSETS) yield take(node.country);
  }
  for (const country of [...held.keys()].sort()) yield take(country);
}

async function* partitionsOf(
  name: CollectionName,
  nodes: readonly IndexNode[],
  readPage: ReadPage,
): AsyncGenerator<PartitionNode> {
  for await (const node of walkIndex(nodes, ({ sha256 }) => readPage(pagePath(name, sha256)))) {
    if (!isPage(node)) yield node;
  }
}

function assetOf(name: CollectionName, node: PartitionNode): [key: string, asset: object] {
  const path = partitionPath(name, "location", node);
  return [
    path.slice(name.length + 1),
    {
      href: `../../${path}`,
      type: PARQUET,
      roles: ["data"],
      "file:size": node.bytes,
      "file:checksum": MULTIHASH_PREFIX + node.sha256,
      "table:row_count": node.rows,
    },
  ];
}

function collectionOf(manifest: Manifest, id: string, title: string, bbox: BBox): object {
  return {
    type: "Collection",
    stac_version: STAC_VERSION,
    stac_extensions: EXTENSIONS,
    id,
    title,
    license: licenseOf(manifest.attribution),
    providers: manifest.attribution.map(({ dataset, license, text, url }) => ({
      name: dataset,
      description: `${text} (${license})`,
      roles: ["licensor"],
      ...(url ? { url } : {}),
    })),
    // an interval without ends: the data has no dates
    extent: { spatial: { bbox: [bbox] }, temporal: { interval: [[null, null]] } },
  };
}

const isSpdx = (license: string) => /^[A-Za-z][\w+]*(-[\w.+]+)*-\d[\w.]*$/.test(license);

/** The licence all sources have; STAC's word for several, which the providers and links then name. */
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
