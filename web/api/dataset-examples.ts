/** Examples for the OpenAPI document that have results in the served dataset. @module */
import { focusOf } from "../../data/format/focus.ts";
import { type Manifest, NO_COUNTRY } from "../../data/format/manifest.ts";
import { tileAt } from "../../data/format/tile-id.ts";
import { exampleSearch } from "../search/index.ts";

/** Half the width of the example box, in degrees. */
const BOX_DEGREES = 0.02;
const TILE_ZOOM = 14;

type Values = Readonly<Record<string, unknown>>;

/** Returns the OpenAPI document with examples that have results in this dataset. Leaves out examples for which there are none. */
export function withExamplesOf(document: object, manifest: Manifest): object {
  const examples = examplesOf(manifest);
  const ofParameter = (parameter: unknown): unknown => {
    const { name, schema } = parameter as { readonly name?: string; readonly schema?: Values };
    if (name === undefined || schema?.example === undefined || !examples.has(name)) return parameter;
    const { example: _, ...others } = schema;
    const example = examples.get(name);
    return { ...(parameter as Values), schema: { ...others, ...(example === undefined ? {} : { example }) } };
  };
  const ofOperation = (operation: unknown): unknown => {
    const { parameters } = operation as { readonly parameters?: readonly unknown[] };
    return parameters ? { ...(operation as Values), parameters: parameters.map(ofParameter) } : operation;
  };
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, Values>> };
  return { ...document, paths: mapValues(paths, (path) => mapValues(path, ofOperation)) };
}

function mapValues<V>(values: Readonly<Record<string, V>>, change: (value: V) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function examplesOf(manifest: Manifest): ReadonlyMap<string, unknown> {
  const search = exampleSearch(manifest);
  const focus = Object.values(manifest.collections).flatMap((collection) => focusOf(collection) ?? [])[0];
  const counts = Object.values(manifest.collections).flatMap(({ countries }) => Object.entries(countries));
  const [most] = counts.sort(([, a], [, b]) => b - a);
  const country = focus?.country ?? most?.[0];
  const lat = search?.parameters.lat ?? focus?.lat;
  const lon = search?.parameters.lng ?? focus?.lon;
  const centre = lat === undefined || lon === undefined ? undefined : { lat: Number(lat), lon: Number(lon) };
  const tile = centre && tileAt(centre, TILE_ZOOM);
  const text = country === undefined || country === NO_COUNTRY ? undefined : nameOf(country);
  return new Map<string, unknown>([
    ["lat", centre?.lat],
    ["lng", centre?.lon],
    ["lon", centre?.lon],
    ["country", country],
    ["countrycodes", country === undefined || country === NO_COUNTRY ? undefined : [country.toLowerCase()]],
    ["bbox", centre && boxAround(centre)],
    ["viewbox", centre && boxAround(centre)],
    ["text", text],
    ["q", text],
    ["release", manifest.release],
    ["since", manifest.kept?.[0]?.release],
    ["collection", search?.path.slice(1).split("/")[0]],
    ["z", tile?.z],
    ["x", tile?.x],
    ["y", tile?.y],
  ]);
}

function boxAround({ lat, lon }: { readonly lat: number; readonly lon: number }): string {
  const box = [lon - BOX_DEGREES, lat - BOX_DEGREES, lon + BOX_DEGREES, lat + BOX_DEGREES];
  const onGlobe = (degrees: number, most: number) => Math.max(-most, Math.min(most, degrees));
  return box.map((degrees, i) => onGlobe(degrees, i % 2 === 0 ? 180 : 90).toFixed(2)).join(",");
}

function nameOf(country: string): string | undefined {
  return new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of(country);
}
