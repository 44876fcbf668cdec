/**
 * Reads files of each format with other libraries.
 * @module
 */
import * as togeojson from "@tmcw/togeojson";
import { DOMParser } from "@xmldom/xmldom";
import { geojson as flatgeobuf } from "flatgeobuf";
import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";
import type { Geometry } from "../../../data/format/geometry.ts";
import type { FormatName } from "../index.ts";

export interface ReadRecord {
  readonly id: string;
  readonly name: string | undefined;
  /** Of tables, a point. */
  readonly geometry: Geometry;
}

type Properties = Readonly<Record<string, unknown>>;

interface ReadFeature {
  readonly id?: unknown;
  readonly geometry: unknown;
  readonly properties: Properties | null;
}

/** Returns the records of the file in order. */
export async function readFormat(format: FormatName, bytes: Uint8Array<ArrayBuffer>): Promise<readonly ReadRecord[]> {
  const text = () => new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
  switch (format) {
    case "json":
      return (JSON.parse(text()) as ReadFeature[]).map(ofFeature);
    case "geojson":
      return (JSON.parse(text()) as { features: ReadFeature[] }).features.map(ofFeature);
    case "geojsonl":
      return text()
        .split("\n")
        .slice(0, -1)
        .map((line) => ofFeature(JSON.parse(line) as ReadFeature));
    case "csv":
    case "spreadsheet":
      return Papa.parse<Record<string, string>>(text().replace("\uFEFF", ""), {
        header: true,
        newline: "\r\n",
        skipEmptyLines: true,
      }).data.map(({ id = "", name, longitude, latitude }) => ({
        id,
        name: name || undefined,
        geometry: { type: "Point", coordinates: [Number(longitude), Number(latitude)] },
      }));
    case "gpx": {
      const document = xml(text());
      // the library ignores unknown extensions
      const ids = Array.from(document.getElementsByTagNameNS("http://osgeo.org/gdal", "id"), (id) => id.textContent);
      return togeojson.gpx(document).features.map((feature, index) => ofTable(feature, ids[index]));
    }
    case "kml":
      return togeojson.kml(xml(text())).features.map((feature) => ofTable(feature));
    case "flatgeobuf": {
      const records: ReadRecord[] = [];
      for await (const feature of flatgeobuf.deserialize(bytes)) records.push(ofTable(feature));
      return records;
    }
    case "geoparquet": {
      const rows = await parquetReadObjects({ file: bytes.buffer });
      return rows.map(({ id, geometry, ...properties }) => ofFeature({ id, geometry, properties }));
    }
  }
}

function ofFeature({ id, geometry, properties }: ReadFeature): ReadRecord {
  const { primary } = (properties?.names ?? {}) as { readonly primary?: string };
  return { id: String(id), name: primary, geometry: geometry as Geometry };
}

function ofTable({ geometry, properties }: ReadFeature, id: unknown = properties?.id): ReadRecord {
  const { name } = (properties ?? {}) as { readonly name?: string | null };
  return { id: String(id), name: name ?? undefined, geometry: geometry as Geometry };
}

/** Throws for malformed XML. */
function xml(text: string) {
  const onError = (level: string, message: string): void => {
    if (level !== "warning") throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(text, "text/xml");
}
