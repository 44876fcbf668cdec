/**
 * `geometry_figures(wkb, declared_country)` as an SQL function.
 * @module
 */
import {
  BIGINT,
  BLOB,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBBlobVector,
  DuckDBScalarFunction,
  type DuckDBStructVector,
  STRUCT,
  TINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import type { Position } from "../../data/format/geometry.ts";
import { figuresOf } from "./figures.ts";

/** The country of a row: by what it declares and where its representative point lies. */
export type LocateCountry = (point: Position, declared: string | null) => string;

const MEMBERS = {
  reason: VARCHAR,
  detail: VARCHAR,
  wkb: BLOB,
  kind: VARCHAR,
  xmin: DOUBLE,
  ymin: DOUBLE,
  xmax: DOUBLE,
  ymax: DOUBLE,
  size_class: TINYINT,
  geohash: BIGINT,
  country: VARCHAR,
};

/** The function to register; it runs on the main thread, one chunk at a time. */
export function geometryFigures(locate: LocateCountry): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "geometry_figures",
    returnType: STRUCT(MEMBERS),
    parameterTypes: [BLOB, VARCHAR],
    specialHandling: true,
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      const countries = chunk.getColumnVector(1);
      const struct = output as DuckDBStructVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const declared = countries.getItem(row);
        const values = valuesOf(geometries.getItemBytes(row), typeof declared === "string" ? declared : null, locate);
        for (const [entry, value] of values.entries()) struct.setItemValue(row, entry, value);
      }
      struct.flush();
    },
  });
}

type Value = string | number | bigint | DuckDBBlobValue | null;

function valuesOf(wkb: Uint8Array | null, declared: string | null, locate: LocateCountry): Value[] {
  const figures = figuresOf(wkb);
  if ("reason" in figures) {
    return [figures.reason, figures.detail, null, null, null, null, null, null, null, null, null];
  }
  const { kind, bbox, point, sizeClass, geohash } = figures;
  const plain = figures.wkb ? new DuckDBBlobValue(figures.wkb) : null;
  return [null, null, plain, kind, ...bbox, sizeClass, BigInt(geohash), locate(point, declared)];
}
