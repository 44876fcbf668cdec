import { gpx, kml } from "@tmcw/togeojson";
import { DOMParser } from "@xmldom/xmldom";
import { expect, test } from "vitest";
import type { Note } from "../../state/notes.ts";
import { NOTE_FORMATS, type NoteFormat } from "./note-files.ts";

const notes: readonly Note[] = [
  { type: "place", id: "a", name: "Café <Łódź> & co", text: 'Ask for "Zoë"\u0007', lon: 7.4246101, lat: 43.7384 },
  { type: "division", id: "b/ü", name: "東京", text: "", lon: -179.999, lat: -0.00000012 },
];
const credit = {
  release: "2026-11-01",
  attribution: [{ dataset: "osm", license: "ODbL-1.0", text: "© OpenStreetMap contributors" }],
};

const written = (format: NoteFormat) => NOTE_FORMATS[format].write({ notes, title: "Notes & more", credit });

interface Read {
  readonly name: unknown;
  readonly text: unknown;
  readonly at: unknown;
}

function readXml(format: "GPX" | "KML"): readonly Read[] {
  const document = new DOMParser().parseFromString(written(format), "text/xml");
  const { features } = (format === "GPX" ? gpx : kml)(document as unknown as Document);
  return features.map(({ properties, geometry }) => ({
    name: properties?.name,
    text: properties?.desc ?? properties?.description ?? "",
    at: geometry?.type === "Point" ? geometry.coordinates.slice(0, 2) : undefined,
  }));
}

test("other programs read names, notes and positions from GPX and KML", () => {
  const expected = notes.map(({ name, text, lon, lat }) => ({
    name,
    text: text.replace("\u0007", "\uFFFD"),
    at: [lon, lat],
  }));
  for (const format of ["GPX", "KML"] as const) {
    expect(readXml(format), format).toEqual(expected);
    expect(written(format)).toContain("© OpenStreetMap contributors (ODbL-1.0)");
  }
});

test("GeoJSON also contains the address of the record", () => {
  const { features, attribution } = JSON.parse(written("GeoJSON"));
  expect(attribution).toEqual(["© OpenStreetMap contributors (ODbL-1.0)"]);
  expect(features).toEqual(
    notes.map(({ type, id, name, text, lon, lat }) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [lon, lat] },
      properties: { name, note: text, type, id },
    })),
  );
});
