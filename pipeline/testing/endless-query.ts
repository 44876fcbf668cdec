/**
 * A process with a DuckDB query that calls a TypeScript function and never ends. Prints its pid at the first call.
 * @module
 */
import { BIGINT, DuckDBScalarFunction } from "@duckdb/node-api";
import { openDatabase } from "../base/database/database.ts";
import { endAtOnceOnSignal } from "../cli/signals.ts";

const [, , folder = ""] = process.argv;

endAtOnceOnSignal();
let isCalled = false;
const database = await openDatabase({ folder, threads: 2 });
database.register(
  DuckDBScalarFunction.create({
    name: "call_back",
    returnType: BIGINT,
    parameterTypes: [BIGINT],
    mainFunction: (_info, chunk, output) => {
      if (!isCalled) console.log(process.pid);
      isCalled = true;
      for (let row = 0; row < chunk.rowCount; row++) output.setItem(row, BigInt(row));
      output.flush();
    },
  }),
);
await database.run("SELECT sum(call_back(i)) FROM range(1000000000000) numbers(i)");
