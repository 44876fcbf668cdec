/**
 * Rows as GeoJSON features in JSON: what `JSON.stringify` makes of those of `features.ts`, without making these.
 * @module
 */
import { readWkb } from "../../../data/format/geometry.ts";
import { columnOf, onlyBatch } from "../arrow/columns.ts";
import { createJsonWriter, type JsonMember, type JsonWriter, memberNamed, writeMembers } from "../arrow/json-writer.ts";
import { Utf8Writer } from "../arrow/utf8-writer.ts";
import type { FeatureJsonOptions } from "../contract/query.ts";
import type { RowRef } from "../order/executor.ts";
import type { Partition } from "../store/partition.ts";
import { type Property, propertiesOf } from "./properties.ts";

interface PartitionWriter {
  readonly id: JsonWriter;
  readonly properties: readonly JsonMember[];
}

/** The features of the rows as UTF-8, made one at a time: the bytes hold until the next are asked for. */
export function* featureJsonOf(
  rows: readonly RowRef[],
  { properties: names, hasGeometry = true }: FeatureJsonOptions = {},
): Generator<Uint8Array, void, undefined> {
  const isWanted = (name: string): boolean => names?.has(name) ?? true;
  let meters: number | undefined;
  const distance = memberNamed("ext_distance", {
    isValid: () => meters !== undefined,
    write: (_row, out) => out.text(String(meters)),
  });
  const writers = new Map<Partition, PartitionWriter>();
  const out = new Utf8Writer();
  for (const { partition, row, distanceMeters } of rows) {
    let writer = writers.get(partition);
    if (!writer) {
      const properties = propertiesOf(partition, isWanted).map((property) =>
        memberNamed(property.name, writerOf(property)),
      );
      if (isWanted("ext_distance")) properties.push(distance);
      writer = { id: createJsonWriter(columnOf(onlyBatch(partition.table), "id")), properties };
      writers.set(partition, writer);
    }
    meters = distanceMeters;
    out.drop();
    out.text('{"id":');
    writer.id.write(row, out);
    out.text(',"type":"Feature","geometry":');
    out.text(hasGeometry ? JSON.stringify(readWkb(partition.wkb(row))) : "null");
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
  const { column, isText, isTold, texts } = property;
  const { isValid, write } = column.writer(texts);
  if (isText) return { isValid, write: (row, out) => out.text(JSON.stringify(String(column.read(row)))) };
  return { isValid: isTold ?? isValid, write };
}
