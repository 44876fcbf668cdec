/**
 * KML 2.2: a placemark for each record, with its shape and its flat columns as data.
 * @see https://docs.ogc.org/is/12-007r2/12-007r2.html
 * @module
 */
import type { Geometry, Position } from "../../data/format/geometry.ts";
import type { Feature } from "../engine/index.ts";
import { type Credit, creditLines } from "./credit.ts";
import { type FlatColumn, flatText, neededBy } from "./flat-columns.ts";
import { FORMATS } from "./formats.ts";
import { type Frame, recordsAs, type Writer } from "./frame.ts";
import { xmlAttribute, xmlDecimal, xmlElement, xmlText } from "./xml.ts";

interface KmlOptions {
  readonly title: string;
  readonly credit: Credit;
  readonly columns: readonly FlatColumn[];
  readonly hasGeometry: boolean;
}

/** Returns a writer of one KML file with a placemark for each record. Empty values are left out. */
export function kmlWriter({ title, credit, columns, hasGeometry }: KmlOptions): Writer {
  const { contentType, extension } = FORMATS.kml;
  // the name has its own element
  const data = columns.filter(({ name }) => name !== "name");
  const nameColumn = columns.find(({ name }) => name === "name");
  const write = (feature: Feature): string =>
    [
      "<Placemark>",
      xmlElement("name", nameColumn && flatText(nameColumn.read(feature))),
      `<ExtendedData>${dataOf("id", feature.id)}`,
      ...data.map((column) => dataOf(column.name, flatText(column.read(feature)))),
      "</ExtendedData>",
      hasGeometry ? shape(feature.geometry) : "",
      "</Placemark>\n",
    ].join("");
  const frame: Frame = {
    contentType,
    extension,
    open: head(title, credit),
    separator: "",
    close: "</Document>\n</kml>\n",
  };
  return { ...frame, ...recordsAs(write, { frame, properties: neededBy(columns) }) };
}

function head(title: string, credit: Credit): string {
  // programs show a description as HTML
  const said = [`Release ${credit.release}`, ...creditLines(credit)].map(xmlText).join("<br>\n");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2">',
    `<Document>${xmlElement("name", title)}${xmlElement("description", said)}`,
    "",
  ].join("\n");
}

function dataOf(name: string, value: string): string {
  return value === "" ? "" : `<Data name="${xmlAttribute(name)}">${xmlElement("value", value)}</Data>`;
}

const tuples = (positions: readonly Position[]): string =>
  `<coordinates>${positions.map(([lon, lat]) => `${xmlDecimal(lon)},${xmlDecimal(lat)}`).join(" ")}</coordinates>`;

const ring = (name: "outerBoundaryIs" | "innerBoundaryIs", positions: readonly Position[]): string =>
  `<${name}><LinearRing>${tuples(positions)}</LinearRing></${name}>`;

const several = (shapes: readonly string[]): string => `<MultiGeometry>${shapes.join("")}</MultiGeometry>`;

function shape(geometry: Geometry): string {
  switch (geometry.type) {
    case "Point":
      return `<Point>${tuples([geometry.coordinates])}</Point>`;
    case "LineString":
      return `<LineString>${tuples(geometry.coordinates)}</LineString>`;
    case "Polygon": {
      const [outer = [], ...inner] = geometry.coordinates;
      return `<Polygon>${ring("outerBoundaryIs", outer)}${inner.map((hole) => ring("innerBoundaryIs", hole)).join("")}</Polygon>`;
    }
    case "MultiPoint":
      return several(geometry.coordinates.map((coordinates) => shape({ type: "Point", coordinates })));
    case "MultiLineString":
      return several(geometry.coordinates.map((coordinates) => shape({ type: "LineString", coordinates })));
    case "MultiPolygon":
      return several(geometry.coordinates.map((coordinates) => shape({ type: "Polygon", coordinates })));
    case "GeometryCollection":
      return several(geometry.geometries.map(shape));
  }
}
