import { expect, test } from "vitest";
import { QueryError } from "../../../engine/contract/errors.ts";
import { createSqlExecutor } from "../../../engine/order/sql-executor.ts";
import { createWasmDatabase } from "../../../engine/testing/databases.ts";

/** Too little for the distances of half a million rows. */
const MEMORY_MEGABYTES = 1;

test("an error reports that DuckDB is out of memory", async () => {
  const distances = Float64Array.from({ length: 500_000 }, (_, row) => row);
  const executor = createSqlExecutor(await createWasmDatabase(MEMORY_MEGABYTES));
  const ordered = executor.order({ lists: [{ distances }], sorted: distances }, { start: 0, end: 25 });
  await expect(ordered).rejects.toThrow(QueryError);
  await expect(ordered).rejects.toThrow(/memory/i);
});
