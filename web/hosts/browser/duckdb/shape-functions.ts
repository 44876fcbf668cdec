/**
 * SQL functions of the console that test a row with the engine's own code: `within_area`, `within_metres` and
 * `has_words`.
 * @module
 */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { Int32 } from "apache-arrow";
import { parseArea } from "../../../../data/format/area.ts";
import { queryTermsOf, termsOf } from "../../../../data/format/fold.ts";
import { type Region, regionOf } from "../../../engine/index.ts";

/** Bindings pass texts and numbers but no bytes: WKB is hexadecimal. */
type Test = (hex: string | null, ...values: readonly (string | number | null)[]) => 0 | 1;

/** Registers the functions. A null geometry, area or number is in no region. */
export function openShapeFunctions(bindings: DuckDBBindings, connection: number): void {
  const inArea = testOf((area) => regionOf({ area: parseArea(JSON.parse(String(area))) }));
  const inCircle = testOf((lon, lat, metres) =>
    regionOf({ circle: { lon: Number(lon), lat: Number(lat), radiusMeters: Number(metres) } }),
  );
  bindings.createScalarFunction(connection, "hex_in_area", new Int32(), inArea);
  bindings.createScalarFunction(connection, "hex_in_circle", new Int32(), inCircle);
  bindings.createScalarFunction(connection, "text_has_words", new Int32(), hasWords);
  for (const macro of [
    "within_area(shape, area) AS hex_in_area(hex(shape), area::VARCHAR) = 1",
    "within_metres(shape, lon, lat, metres) AS hex_in_circle(hex(shape), lon::DOUBLE, lat::DOUBLE, metres::DOUBLE) = 1",
    "has_words(value, words) AS text_has_words(value::VARCHAR, words::VARCHAR) = 1",
  ]) {
    bindings.runQuery(connection, `CREATE OR REPLACE MACRO ${macro}`);
  }
}

/** Between the items of a list, of which one must have all words. */
const ITEM_SEPARATOR = "\u001f";

/** Whether each word is the prefix of a word of the value, as a search compares them. */
function hasWords(value: string | null, words: string | null): 0 | 1 {
  if (value === null || words === null) return 0;
  const wanted = queryTermsOf(words);
  const isMet = (item: string) => {
    const terms = [...termsOf(item)];
    return wanted.every((word) => terms.some((term) => term.startsWith(word)));
  };
  return value.split(ITEM_SEPARATOR).some(isMet) ? 1 : 0;
}

/** Caches the last region: it is usually the same for all rows. */
function testOf(regionOfValues: (...values: readonly (string | number | null)[]) => Region | undefined): Test {
  let known: { readonly key: string; readonly region: Region | undefined } | undefined;
  return (hex, ...values) => {
    if (hex === null || values.includes(null)) return 0;
    const key = values.join();
    if (known?.key !== key) known = { key, region: regionOfValues(...values) };
    return known.region && known.region.metersOf(bytesOf(hex)) < Number.POSITIVE_INFINITY ? 1 : 0;
  };
}

function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
