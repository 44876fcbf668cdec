import { BLOB, DuckDBBlobValue, type DuckDBBlobVector, DuckDBScalarFunction } from "@duckdb/node-api";
import { readWkb } from "../../data/format/geometry.ts";
import { writeTwkb } from "../../data/format/twkb.ts";

/** TWKB where it holds every coordinate to the bit, else the WKB itself. */
export function shortest(wkb: Uint8Array): Uint8Array {
  return writeTwkb(readWkb(wkb)) ?? wkb;
}

/** `twkb(wkb)` as an SQL function. */
export function twkbFunction(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "twkb",
    returnType: BLOB,
    parameterTypes: [BLOB],
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const wkb = geometries.getItemBytes(row);
        output.setItem(row, wkb ? new DuckDBBlobValue(shortest(wkb)) : null);
      }
      output.flush();
    },
  });
}
