/**
 * `twkb(wkb)` as an SQL function: TWKB where it holds every coordinate to the bit, else the WKB itself.
 * @module
 */
import { BLOB, DuckDBBlobValue, type DuckDBBlobVector, DuckDBScalarFunction } from "@duckdb/node-api";
import { readWkb } from "../../data/format/geometry.ts";
import { writeTwkb } from "../../data/format/twkb.ts";

/** The function to register; it runs on the main thread, one chunk at a time. */
export function twkbFunction(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "twkb",
    returnType: BLOB,
    parameterTypes: [BLOB],
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const wkb = geometries.getItemBytes(row);
        const bytes = wkb && (writeTwkb(readWkb(wkb)) ?? wkb);
        output.setItem(row, bytes ? new DuckDBBlobValue(bytes) : null);
      }
      output.flush();
    },
  });
}
