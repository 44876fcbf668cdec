/** GPX and KML. @see https://www.topografix.com/GPX/1/1/ @see https://www.ogc.org/standards/kml @module */
import type { Document, Element } from "@xmldom/xmldom";
import { firstLineOf } from "../format/message-of.ts";
import type { DecodedText } from "./decode-text.ts";
import { parseGeometry, shown } from "./parse-geometry.ts";
import { columnsOfObjects, type RawTable } from "./raw-table.ts";
import { TableError, type TableReject } from "./table.ts";

/** Reads GPX or KML. Throws `TableError` for other XML, and for KML that only links to other files. */
export async function readXml({ text, encoding, notes }: DecodedText): Promise<RawTable> {
  const [{ DOMParser }, { gpx, kml }] = await Promise.all([import("@xmldom/xmldom"), import("@tmcw/togeojson")]);
  const [, prefix, name = ""] = /<(?!\?|!)(?:([\w-]+):)?([\w-]+)/.exec(text) ?? [];
  const root = name.toLowerCase();
  if (root === "osmchange" || root === "osmaugmenteddiff")
    throw new TableError(
      "the file has changes of OpenStreetMap's objects: apply them to an extract with osmium apply-changes, and read the extract",
    );
  if (root === "featurecollection" || /xmlns:gml\b/.test(text.slice(0, 5000)))
    throw new TableError(
      "the file is GML, which is not read: ask the service for GeoJSON (outputFormat=application/json), or convert the file to GeoJSON",
    );
  if (/^(service)?exceptionreport$/.test(root))
    throw new TableError(
      `the file is an error of a service: ${shown(
        text
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .trim(),
      )}`,
    );
  if (root !== "gpx" && root !== "kml") throw new TableError(`XML with the root element ${root}: GPX and KML are read`);
  let document: Document;
  try {
    const parser = new DOMParser({ onError: (level, message) => level === "fatalError" && raise(message) });
    document = parser.parseFromString(withoutPrefix(text.replace(/^[\ufeff\s]+/, ""), prefix), "text/xml");
  } catch (error) {
    throw new TableError(`the XML is damaged: ${firstLineOf(error)}`);
  }
  const rejects = root === "gpx" ? completeGpx(document) : [];
  if (root === "kml") completeKml(document);
  const { features } = (root === "gpx" ? gpx : kml)(document as never);
  const links = features.filter(({ properties }) => properties?.["@geometry-type"] === "networklink");
  if (links.length > 0 && links.length === features.length)
    throw new TableError(`the KML only links to ${links[0]?.properties?.href}: save that file, and read it`);
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
    rejects: rejects.map((reject, index) => ({ ...reject, line: features.length + index + 1 })),
    geometryFrom: "geometry",
    crs: "EPSG:4326",
    encoding,
    notes,
    isText: true,
  };
}

/** The parsers know elements by their names without the prefix of a namespace. */
function withoutPrefix(text: string, prefix: string | undefined): string {
  if (prefix === undefined) return text;
  const tag = new RegExp(`<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<!--[\\s\\S]*?-->|<(/?)${prefix}:`, "g");
  return text.replace(tag, (found, slash?: string) => (slash === undefined ? found : `<${slash}`));
}

type Reject = Omit<TableReject, "line">;

const elementsIn = (parent: Document | Element, name: string): Element[] =>
  Array.from(parent.getElementsByTagName(name));

/**
 * The parser leaves out lines of fewer than two points. A track or route of one point becomes a waypoint, and segments of
 * one point are joined. Returns the elements without a point as rejects.
 */
function completeGpx(document: Document): Reject[] {
  const rejects: Reject[] = [];
  const reject = (element: Element, reason: string): void => {
    rejects.push({ reason, detail: `${element.tagName} ${elementsIn(element, "name")[0]?.textContent ?? ""}`.trim() });
    element.parentNode?.removeChild(element);
  };
  for (const [line, pointName] of [
    ["trk", "trkpt"],
    ["rte", "rtept"],
  ] as const) {
    for (const element of elementsIn(document, line)) {
      const points = elementsIn(element, pointName).filter(hasPosition);
      const segments = elementsIn(element, "trkseg");
      const [point] = points;
      if (!point) reject(element, "no coordinates");
      else if (points.length === 1) replaceByWaypoint(element, point, document);
      else if (segments.every((segment) => elementsIn(segment, pointName).length < 2))
        for (const one of points) segments[0]?.appendChild(one);
    }
  }
  for (const point of elementsIn(document, "wpt")) if (!hasPosition(point)) reject(point, "not a coordinate");
  return rejects;
}

const hasPosition = (point: Element): boolean =>
  ["lat", "lon"].every((name) => !Number.isNaN(Number.parseFloat(point.getAttribute(name) ?? "")));

function replaceByWaypoint(line: Element, point: Element, document: Document): void {
  const waypoint = document.createElement("wpt");
  for (const name of ["lat", "lon"]) waypoint.setAttribute(name, point.getAttribute(name) ?? "");
  for (const child of [...Array.from(line.childNodes), ...Array.from(point.childNodes)])
    if (child.nodeName !== "trkseg" && child.nodeName !== "rtept") waypoint.appendChild(child);
  line.parentNode?.replaceChild(waypoint, line);
}

/**
 * The parser reads `false` as true and an empty number as 0 where a schema has the types, so values stay texts. It needs
 * coordinates without spaces after their commas. Names of folders become values of their placemarks if there are several.
 */
function completeKml(document: Document): void {
  for (const field of elementsIn(document, "SimpleField")) field.removeAttribute("type");
  for (const one of elementsIn(document, "coordinates"))
    if (/,\s|\s,/.test(one.textContent ?? "")) one.textContent = (one.textContent ?? "").replace(/\s*,\s*/g, ",");
  const folders = elementsIn(document, "Placemark").map((placemark) => [placemark, folderOf(placemark)] as const);
  if (new Set(folders.map(([, folder]) => folder)).size < 2) return;
  for (const [placemark, folder] of folders) {
    const data = elementsIn(placemark, "ExtendedData")[0] ?? document.createElement("ExtendedData");
    if (!folder || elementsIn(data, "Data").some((one) => one.getAttribute("name") === "folder")) continue;
    const [entry, value] = [document.createElement("Data"), document.createElement("value")];
    entry.setAttribute("name", "folder");
    value.textContent = folder;
    entry.appendChild(value);
    data.appendChild(entry);
    placemark.appendChild(data);
  }
}

function folderOf({ parentNode }: Element): string | undefined {
  const children = parentNode?.nodeName === "Folder" ? Array.from(parentNode.childNodes) : [];
  return children.find(({ nodeName }) => nodeName === "name")?.textContent?.trim();
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
