/** SQL functions that are written in TypeScript. @module */
import {
  type DuckDBBlobType,
  DuckDBBlobVector,
  type DuckDBDoubleType,
  type DuckDBIntegerType,
  DuckDBScalarFunction,
  DuckDBStructVector,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVarCharType,
} from "@duckdb/node-api";

type ValueOf<Type> = Type extends DuckDBBlobType
  ? Uint8Array | null
  : Type extends DuckDBVarCharType
    ? string | null
    : Type extends DuckDBDoubleType | DuckDBIntegerType
      ? number | null
      : DuckDBValue;

/**
 * Gets the arguments of a row, null for missing ones. Returns the value of the row, or if it is a struct, its members
 * in order.
 */
type RowFunction<Types extends readonly DuckDBType[]> = (
  ...values: { -readonly [Index in keyof Types]: ValueOf<Types[Index]> }
) => DuckDBValue | readonly DuckDBValue[];

/** Returns a SQL function with this name for `Database.register`, which calls `work` for each row. */
export function sqlFunction<const Types extends readonly DuckDBType[]>(
  name: string,
  parameterTypes: Types,
  returnType: DuckDBType,
  work: RowFunction<Types>,
): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    returnType,
    parameterTypes,
    specialHandling: true,
    mainFunction: (_info, chunk, output) => {
      const columns = parameterTypes.map((_, index) => chunk.getColumnVector(index));
      for (let row = 0; row < chunk.rowCount; row++) {
        const values = columns.map((of) => (of instanceof DuckDBBlobVector ? of.getItemBytes(row) : of.getItem(row)));
        const made = work(...(values as Parameters<RowFunction<Types>>));
        if (!(output instanceof DuckDBStructVector)) output.setItem(row, made as DuckDBValue);
        else
          for (const [member, value] of (made as readonly DuckDBValue[]).entries())
            output.setItemValue(row, member, value);
      }
      output.flush();
    },
  });
}

let functions = 0;

/**
 * Returns the prefix with a number, a name that no other function of this process has. A database keeps each function
 * until it is closed.
 */
export function functionName(prefix: string): string {
  functions++;
  return `${prefix}_${functions}`;
}
