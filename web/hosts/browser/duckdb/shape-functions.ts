/**
 * SQL functions of the console that test a row with the engine's own code: `within_area`, `within_metres`, `has_words` and
 * `has_all_words`.
 * @module
 */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { Int32 } from "apache-arrow";
import { parseArea } from "../../../../data/format/area.ts";
import { hexBytes } from "../../../../data/format/bytes.ts";
import { queryTermsOf, termsOf } from "../../../../data/format/fold.ts";
import { type Region, regionOf } from "../../../engine/index.ts";

/** Bindings pass texts and numbers but no bytes: WKB is hexadecimal. */
type Test = (hex: string | null, ...values: readonly (string | number | null)[]) => 0 | 1;

/** Registers the SQL functions. A null geometry, area or number is in no region. */
export function openShapeFunctions(bindings: DuckDBBindings, connection: number): void {
  const inArea = testOf((area) => regionOf({ area: parseArea(JSON.parse(String(area))) }));
  const inCircle = testOf((lon, lat, metres) =>
    regionOf({ circle: { lon: Number(lon), lat: Number(lat), radiusMeters: Number(metres) } }),
  );
  bindings.createScalarFunction(connection, "hex_in_area", new Int32(), inArea);
  bindings.createScalarFunction(connection, "hex_in_circle", new Int32(), inCircle);
  bindings.createScalarFunction(connection, "text_has_words", new Int32(), hasWords);
  bindings.createScalarFunction(connection, "text_has_all_words", new Int32(), hasAllWords);
  for (const macro of [
    "within_area(shape, area) AS hex_in_area(hex(shape), area::VARCHAR) = 1",
    "within_metres(shape, lon, lat, metres) AS hex_in_circle(hex(shape), lon::DOUBLE, lat::DOUBLE, metres::DOUBLE) = 1",
    "has_words(value, words) AS text_has_words(value::VARCHAR, words::VARCHAR) = 1",
    "has_all_words(texts, words) AS text_has_all_words(array_to_string(texts, chr(31)), words::VARCHAR) = 1",
    NAME_TEXTS,
    ADDRESS_TEXTS,
  ]) {
    bindings.runQuery(connection, `CREATE OR REPLACE MACRO ${macro}`);
  }
}

/** All names of a row: primary, common in all languages, and rules. */
const NAME_TEXTS = `name_texts(n) AS list_concat([n.primary], list_concat(coalesce(map_values(n.common), []),
  coalesce(list_transform(n.rules, lambda rule: rule.value), [])))`;

/** All parts of an address. */
const ADDRESS_TEXTS = `address_texts(number, street, unit, postcode, city, levels) AS
  list_concat([number, street, unit, postcode, city], coalesce(list_transform(levels, lambda level: level.value), []))`;

/** Separates the items of a list, one of which must have all words. */
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

/** Whether each word is the prefix of a word of the texts, as a search for a name compares them. */
function hasAllWords(texts: string | null, words: string | null): 0 | 1 {
  if (texts === null || words === null) return 0;
  const terms = [...termsOf(texts)];
  return queryTermsOf(words).every((word) => terms.some((term) => term.startsWith(word))) ? 1 : 0;
}

/** Returns a test of geometries in a region. It keeps the last region, which is usually the same for all rows. */
function testOf(regionOfValues: (...values: readonly (string | number | null)[]) => Region | undefined): Test {
  let known: { readonly key: string; readonly region: Region | undefined } | undefined;
  return (hex, ...values) => {
    if (hex === null || values.includes(null)) return 0;
    const key = values.join();
    if (known?.key !== key) known = { key, region: regionOfValues(...values) };
    return known.region && known.region.metersOf(hexBytes(hex)) < Number.POSITIVE_INFINITY ? 1 : 0;
  };
}
