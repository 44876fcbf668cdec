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

/** Returns the value for a row, or a struct's members in order. Missing arguments are null. */
type RowFunction<Types extends readonly DuckDBType[]> = (
  ...values: { -readonly [Index in keyof Types]: ValueOf<Types[Index]> }
) => DuckDBValue | readonly DuckDBValue[];

/** Makes a function with this name for `Database.register`. */
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

/** Returns a name for a function that no other function has, because a database keeps each until it is closed. */
export function functionName(prefix: string): string {
  functions++;
  return `${prefix}_${functions}`;
}
