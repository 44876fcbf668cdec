/** GPX and KML. @see https://www.topografix.com/GPX/1/1/ @see https://www.ogc.org/standards/kml @module */
import { firstLineOf } from "../format/message-of.ts";
import type { DecodedText } from "./decode-text.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { columnsOfObjects, type RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

/** Reads GPX or KML. Throws `TableError` for other XML. */
export async function readXml({ text, encoding, notes }: DecodedText): Promise<RawTable> {
  const [{ DOMParser }, { gpx, kml }] = await Promise.all([import("@xmldom/xmldom"), import("@tmcw/togeojson")]);
  const root = /<(?!\?|!)(?:[\w-]+:)?([\w-]+)/.exec(text)?.[1]?.toLowerCase();
  if (root !== "gpx" && root !== "kml") throw new TableError(`XML with the root element ${root}: GPX and KML are read`);
  let document: unknown;
  try {
    const parser = new DOMParser({ onError: (level, message) => level === "fatalError" && raise(message) });
    document = parser.parseFromString(text.replace(/^[\ufeff\s]+/, ""), "text/xml");
  } catch (error) {
    throw new TableError(`the XML is damaged: ${firstLineOf(error)}`);
  }
  const { features } = (root === "gpx" ? gpx : kml)(document as never);
  const { columns, valuesOf } = columnsOfObjects(
    features.map(({ id, properties }) => ({ ...(id === undefined ? {} : { id }), ...withTexts(properties ?? {}) })),
  );
  return {
    format: root,
    columns,
    rows: features.map(({ geometry }, index) => ({
      line: index + 1,
      geometry: parseGeometry(geometry),
      values: valuesOf(index),
    })),
    geometryFrom: "geometry",
    crs: "EPSG:4326",
    encoding,
    notes,
    isText: true,
  };
}

/** The parser has descriptions in CDATA as objects of the type `html`. */
function withTexts(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isHtml(value) ? value.value : value]),
  );
}

function isHtml(value: unknown): value is { readonly value: string } {
  return (
    typeof value === "object" && value !== null && "@type" in value && value["@type"] === "html" && "value" in value
  );
}

function raise(message: string): never {
  throw new Error(message);
}
