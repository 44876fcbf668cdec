/** Notes as files that other programs read. @module */
import { type Credit, creditLines, xmlDecimal, xmlElement } from "../../../search/index.ts";
import type { Note } from "../../state/index.ts";

interface NotesToWrite {
  readonly notes: readonly Note[];
  readonly title: string;
  readonly credit: Credit;
}

export const NOTE_FORMATS = {
  GPX: { extension: "gpx", contentType: "application/gpx+xml", write: gpx },
  KML: { extension: "kml", contentType: "application/vnd.google-earth.kml+xml", write: kml },
  GeoJSON: { extension: "geojson", contentType: "application/geo+json", write: geojson },
} as const;

export type NoteFormat = keyof typeof NOTE_FORMATS;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

function descriptionOf(credit: Credit): string {
  return [`Release ${credit.release}`, ...creditLines(credit)].join("\n");
}

/** Returns the notes as waypoints. @see https://www.topografix.com/GPX/1/1/ */
function gpx({ notes, title, credit }: NotesToWrite): string {
  const waypoints = notes.map(
    ({ lon, lat, name, text, type }) =>
      `<wpt lat="${xmlDecimal(lat)}" lon="${xmlDecimal(lon)}">${xmlElement("name", name)}${xmlElement("desc", text)}${xmlElement("type", type)}</wpt>`,
  );
  return [
    XML,
    '<gpx version="1.1" creator="Cairn" xmlns="http://www.topografix.com/GPX/1/1">',
    `<metadata>${xmlElement("name", title)}${xmlElement("desc", descriptionOf(credit))}</metadata>`,
    ...waypoints,
    "</gpx>\n",
  ].join("\n");
}

/** Returns the notes as placemarks. @see https://docs.ogc.org/is/12-007r2/12-007r2.html */
function kml({ notes, title, credit }: NotesToWrite): string {
  const placemarks = notes.map(
    ({ lon, lat, name, text }) =>
      `<Placemark>${xmlElement("name", name)}${xmlElement("description", text)}<Point><coordinates>${xmlDecimal(lon)},${xmlDecimal(lat)}</coordinates></Point></Placemark>`,
  );
  return [
    XML,
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>',
    xmlElement("name", title) + xmlElement("description", descriptionOf(credit)),
    ...placemarks,
    "</Document></kml>\n",
  ].join("\n");
}

/** Returns the notes as points with `name`, `note`, and type and id of the record. */
function geojson({ notes, title, credit }: NotesToWrite): string {
  const features = notes.map(({ lon, lat, name, text, type, id }) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [lon, lat] },
    properties: { name, note: text, type, id },
  }));
  return JSON.stringify({ type: "FeatureCollection", title, attribution: creditLines(credit), features });
}
