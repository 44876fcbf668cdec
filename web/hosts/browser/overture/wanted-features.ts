import type { Table, Vector } from "apache-arrow";
import { type BBox, bboxIntersects } from "../../../../data/format/bbox.ts";
import type { OvertureType } from "../../../../data/format/collections.ts";
import { listOf, objectOf, textOf } from "../../../../data/format/json.ts";
import type { Feature, Json } from "../../../engine/index.ts";
import { geometryOfWkb, jsonOf } from "../own-files/index.ts";

/** A row as files have it; without a geometry that can be read it is left out by who takes the file. */
export interface FileFeature {
  readonly type: "Feature";
  readonly id: Json;
  readonly geometry: Feature["geometry"] | null;
  readonly properties: Readonly<Record<string, Json>>;
}

interface Wanted {
  readonly type: OvertureType;
  /** `west > east` crosses the antimeridian. */
  readonly bbox: BBox;
}

/** Rows whose `bbox` meets the box, with what is searched for as columns of their own. Throws without `bbox`. */
export function* wantedFeatures(table: Table, { type, bbox }: Wanted): Generator<FileFeature> {
  const boxes = boxesOf(table);
  const geometry = table.getChild("geometry");
  for (let row = 0; row < table.numRows; row++) {
    const box = boxes(row);
    if (!box || !bboxIntersects(bbox, box)) continue;
    const { id = null, ...properties } = valuesOf(table, row);
    yield {
      type: "Feature",
      id,
      geometry: geometryOfWkb(geometry?.get(row)) ?? null,
      properties: { ...searchedOf(type, properties), ...properties },
    };
  }
}

function boxesOf(table: Table): (row: number) => BBox | undefined {
  const column = table.getChild("bbox");
  const [xmin, ymin, xmax, ymax] = ["xmin", "ymin", "xmax", "ymax"].map((name): Vector | null | undefined =>
    column?.getChild(name),
  );
  if (!xmin || !ymin || !xmax || !ymax) throw new Error("a file of the release has no column bbox");
  return (row) => {
    const [west, south, east, north] = [xmin.get(row), ymin.get(row), xmax.get(row), ymax.get(row)];
    if (west === null || south === null || east === null || north === null) return undefined;
    return [west, south, east, north];
  };
}

/** What stands elsewhere in the feature, or is of no use to who reads one row. */
const LEFT_OUT = new Set(["geometry", "bbox", "version", "theme", "type", "sources"]);

function valuesOf(table: Table, row: number): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const [index, { name, type }] of table.schema.fields.entries()) {
    if (LEFT_OUT.has(name)) continue;
    const value = jsonOf(type, table.getChildAt(index)?.get(row));
    if (value !== null) values[name] = value;
  }
  const sources = table.schema.fields.findIndex(({ name }) => name === "sources");
  const field = table.schema.fields[sources];
  if (field) values.source = datasetsOf(jsonOf(field.type, table.getChildAt(sources)?.get(row)));
  return values;
}

function datasetsOf(sources: Json): string {
  const names = listOf(sources).map((source) => textOf(objectOf(source)?.dataset));
  return [...new Set(names.filter((name) => name !== undefined))].join(", ");
}

/** Name, country and category, wherever the type has them. */
function searchedOf(type: OvertureType, row: Readonly<Record<string, Json>>): Record<string, Json> {
  const [address] = listOf(row.addresses);
  const columns = {
    name: textOf(objectOf(row.names)?.primary),
    type,
    category: textOf(objectOf(row.categories)?.primary) ?? textOf(row.class) ?? textOf(row.subtype),
    country: textOf(row.country) ?? textOf(objectOf(address)?.country),
  };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
