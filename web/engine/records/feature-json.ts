/**
 * Writes rows as GeoJSON features: the output of `JSON.stringify` over `features.ts`, without creating objects.
 * @module
 */
import { type JsonMember, type JsonWriter, memberNamed, writeMembers } from "../arrow/json-writer.ts";
import { Utf8Writer } from "../arrow/utf8-writer.ts";
import type { FeatureJsonOptions } from "../contract/query.ts";
import type { RowRef, Rows } from "../store/rows.ts";
import { geometryOf } from "./features.ts";
import { type Property, propertiesOf } from "./properties.ts";

interface RowsWriter {
  readonly properties: readonly JsonMember[];
}

/** Yields the features of the rows as UTF-8, one at a time. The bytes are valid until the next feature. */
export function* featureJsonOf(
  refs: readonly RowRef[],
  { properties: names, hasGeometry = true }: FeatureJsonOptions = {},
): Generator<Uint8Array, void, undefined> {
  const isWanted = (name: string): boolean => names?.has(name) ?? true;
  let meters: number | undefined;
  const distance = memberNamed("ext_distance", {
    isValid: () => meters !== undefined,
    write: (_row, out) => out.text(String(meters)),
  });
  const writers = new Map<Rows, RowsWriter>();
  const out = new Utf8Writer();
  for (const { rows, row, distanceMeters } of refs) {
    let writer = writers.get(rows);
    if (!writer) {
      const properties = propertiesOf(rows, isWanted).map((property) => memberNamed(property.name, writerOf(property)));
      if (isWanted("ext_distance")) properties.push(distance);
      writer = { properties };
      writers.set(rows, writer);
    }
    meters = distanceMeters;
    out.drop();
    out.text('{"id":');
    out.text(JSON.stringify(rows.id(row)));
    out.text(',"type":"Feature","geometry":');
    out.text(hasGeometry ? JSON.stringify(geometryOf(rows.geometry(row))) : "null");
    out.text(',"properties":');
    writeMembers(writer.properties, row, out);
    out.text("}");
    yield out.view;
  }
}

function writerOf(property: Property): JsonWriter {
  if ("constant" in property) {
    const text = JSON.stringify(property.constant);
    return { isValid: undefined, write: (_row, out) => out.text(text) };
  }
  const { column, isText, hasContent, texts } = property;
  const { isValid, write } = column.writer(texts);
  if (isText) return { isValid, write: (row, out) => out.text(JSON.stringify(String(column.read(row)))) };
  return { isValid: hasContent ?? isValid, write };
}
