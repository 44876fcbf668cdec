/**
 * A STAC catalogue of releases as Overture publishes it, with absolute addresses.
 * @see https://github.com/OvertureMaps/stac
 * @module
 */
import { type BBox, boxRing } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type OvertureType } from "../../../data/format/collections.ts";

export interface ReleaseFile {
  readonly release: string;
  readonly type: OvertureType;
  /** Path below the folder of the releases. */
  readonly path: string;
  readonly bbox: BBox;
  readonly rows: number;
  readonly groups: number;
}

interface StacOptions {
  readonly catalogUrl: string;
  readonly dataUrl: string;
}

const VERSION = "1.1.0";
const AZURE = "https://overturemapswestus2.blob.core.windows.net";
const LICENSES: Readonly<Partial<Record<OvertureType, string>>> = {
  place: "other",
  address: "other",
  land_cover: "CC-BY-4.0",
  bathymetry: "CC0-1.0",
};

/** Returns the documents by path below the catalogue's folder. */
export function stacDocuments(
  files: readonly ReleaseFile[],
  { catalogUrl, dataUrl }: StacOptions,
): Map<string, unknown> {
  const documents = new Map<string, unknown>();
  const releases = [...new Set(files.map(({ release }) => release))].sort();
  const link = (rel: string, path: string, type = "application/json") => ({ rel, href: `${catalogUrl}/${path}`, type });
  const links = (path: string, parent: string, children: readonly object[]) => [
    link("root", "catalog.json"),
    ...children,
    link("parent", parent),
    link("self", path),
  ];
  for (const release of releases) {
    const ofRelease = files.filter((file) => file.release === release);
    const themes = [...new Set(ofRelease.map(({ type }) => COLLECTIONS[type].theme))].sort();
    for (const theme of themes) {
      const types = [...new Set(ofRelease.map(({ type }) => type))].filter((type) => COLLECTIONS[type].theme === theme);
      for (const type of types) {
        const mine = ofRelease.filter((file) => file.type === type);
        const folder = `${release}/${theme}/${type}`;
        const items = mine.map((file) => {
          const id = idOf(file);
          const path = `${folder}/${id}/${id}.json`;
          documents.set(path, itemOf(file, links(path, `${folder}/collection.json`, []), dataUrl));
          return link("item", path, "application/geo+json");
        });
        const path = `${folder}/collection.json`;
        documents.set(path, collectionOf(type, mine, links(path, `${release}/${theme}/catalog.json`, items)));
      }
      const path = `${release}/${theme}/catalog.json`;
      const children = types.map((type) => link("child", `${release}/${theme}/${type}/collection.json`));
      documents.set(
        path,
        catalogOf(theme, `Overture's ${theme} theme`, links(path, `${release}/catalog.json`, children)),
      );
    }
    const path = `${release}/catalog.json`;
    const children = themes.map((theme) => link("child", `${release}/${theme}/catalog.json`));
    const description = `Geoparquet data released in the Overture ${release} release`;
    documents.set(path, {
      ...catalogOf(release, description, links(path, "catalog.json", children)),
      "release:version": release,
    });
  }
  const latest = releases.at(-1);
  const children = releases.map((release) => ({
    ...link("child", `${release}/catalog.json`),
    title: `${release} Overture Release`,
    ...(release === latest ? { latest: true } : {}),
  }));
  documents.set("catalog.json", {
    ...catalogOf("Overture Releases", "All Overture Releases", [
      link("root", "catalog.json"),
      ...children,
      link("self", "catalog.json"),
    ]),
    latest,
  });
  return documents;
}

function idOf({ path }: ReleaseFile): string {
  return path.split("/").at(-1)?.split("-")[1] ?? path;
}

function catalogOf(id: string, description: string, links: readonly object[]) {
  return { type: "Catalog", id, stac_version: VERSION, description, title: id, links };
}

function collectionOf(type: OvertureType, files: readonly ReleaseFile[], links: readonly object[]) {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return {
    type: "Collection",
    id: type,
    stac_version: VERSION,
    description: `Overture's ${type} collection`,
    title: type,
    license: LICENSES[type] ?? "ODbL-1.0",
    extent: { spatial: { bbox: files.map(({ bbox }) => bbox) }, temporal: { interval: [[null, null]] } },
    links,
    features: rows,
    "table:columns": COLLECTIONS[type].columns.map(({ name }) => ({ name })),
    "table:primary_geometry": "geometry",
    "table:row_count": rows,
    "geoparquet:version": "1.1.0",
  };
}

function itemOf(file: ReleaseFile, links: readonly object[], dataUrl: string) {
  const { path, bbox, type, release, rows, groups } = file;
  const ring = boxRing(bbox);
  const asset = { type: "application/vnd.apache.parquet", roles: ["data"] };
  return {
    type: "Feature",
    stac_version: VERSION,
    id: idOf(file),
    collection: type,
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox,
    properties: { num_rows: rows, num_row_groups: groups, datetime: `${release.slice(0, 10)}T00:00:00Z` },
    links,
    assets: {
      aws: {
        ...asset,
        href: `${dataUrl}/${path}`,
        title: "GeoParquet on AWS S3",
        alternate: { s3: { href: `s3://overturemaps-us-west-2/${path}`, roles: ["data"] } },
      },
      azure: { ...asset, href: `${AZURE}/${path}`, title: "GeoParquet on Azure Blob Storage" },
    },
  };
}
