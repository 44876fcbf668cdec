/**
 * GPX 1.1: a waypoint for each record, at its representative point.
 * @see https://www.topografix.com/GPX/1/1/
 * @module
 */
import { addressLine } from "../../data/format/address-line.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature, Json } from "../engine/index.ts";
import { type Credit, creditLines } from "./credit.ts";
import { at, flatText } from "./flat-columns.ts";
import { FORMATS } from "./formats.ts";
import { type Frame, recordsAs, type Writer } from "./frame.ts";
import { xmlAttribute, xmlDecimal, xmlElement } from "./xml.ts";

/** Namespace of GDAL's extensions: programs based on GDAL read them as columns. */
const GDAL = "http://osgeo.org/gdal";

const PROPERTIES = new Set(
  "names addresses street number country phones websites categories class subtype sources ext_distance".split(" "),
);

/**
 * Returns a writer of one GPX file. Records without a representative point are left out. `includes` are the properties that may
 * be written; default: all.
 */
export function gpxWriter(
  title: string,
  credit: Credit,
  { includes }: { readonly includes?: ReadonlySet<string> | undefined } = {},
): Writer {
  const { contentType, extension } = FORMATS.gpx;
  const frame: Frame = { contentType, extension, open: head(title, credit), separator: "", close: "</gpx>\n" };
  const isKept = (name: string) => includes?.has(name) ?? true;
  return { ...frame, ...recordsAs(waypoint, { frame, properties: new Set([...PROPERTIES].filter(isKept)) }) };
}

function head(title: string, credit: Credit): string {
  const { release, attribution } = credit;
  const urls = new Set(attribution.flatMap(({ url }) => (url === undefined ? [] : [url])));
  const authors = attribution.map(({ text }) => text).join("; ");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="1.1" creator="Cairn" xmlns="http://www.topografix.com/GPX/1/1" xmlns:ogr="${GDAL}">`,
    `<metadata>${xmlElement("name", title)}${xmlElement("desc", [`Release ${release}`, ...creditLines(credit)].join("\n"))}` +
      `${authors && `<copyright author="${xmlAttribute(authors)}"/>`}${Array.from(urls, (url) => linkTo(url)).join("")}</metadata>`,
    "",
  ].join("\n");
}

function waypoint({ id, geometry, properties }: Feature): string {
  const [lon, lat] = representativePoint(geometry) ?? [];
  if (lon === undefined || lat === undefined) return "";
  const text = (...keys: string[]) => flatText(at(properties, keys)) || undefined;
  const list = (name: string) => (Array.isArray(properties[name]) ? (properties[name] as readonly Json[]) : []);
  const [address] = list("addresses");
  const street = addressLine(text("country"), text("street"), text("number"));
  const lines = ["freeform", "postcode", "locality"].map((key) => flatText(at(address, [key])));
  const phones = list("phones").map(flatText);
  const sources = new Set(list("sources").map((source) => flatText(at(source, ["dataset"]))));
  return [
    `<wpt lat="${xmlDecimal(lat)}" lon="${xmlDecimal(lon)}">`,
    xmlElement("name", text("names", "primary") ?? street),
    xmlElement("desc", [...lines, ...phones].filter(Boolean).join(", ")),
    xmlElement("src", [...sources].filter(Boolean).join(", ")),
    ...list("websites").map((url) => linkTo(flatText(url))),
    xmlElement("type", text("categories", "primary") ?? text("class") ?? text("subtype")),
    `<extensions>${xmlElement("ogr:id", id)}${xmlElement("ogr:distance_meters", text("ext_distance"))}</extensions>`,
    "</wpt>\n",
  ].join("");
}

/** Returns a link element for http and https; otherwise an empty text, because users of the file may follow links. */
function linkTo(url: string): string {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? `<link href="${xmlAttribute(url)}"/>` : "";
}
