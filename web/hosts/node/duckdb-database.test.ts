import { expect, test } from "vitest";
import { describeDatabase } from "../../engine/database.contract.ts";
import { describeMadeUpSearches, describeSampleSearches } from "../../engine/search.contract.ts";
import { decodeParquet } from "./parquet.ts";
import { createDuckdb } from "./testing/duckdb-database.ts";

const contract = { executor: "sql", decode: decodeParquet, database: createDuckdb } as const;
describeDatabase("native DuckDB", createDuckdb);
describeMadeUpSearches("native DuckDB", { ...contract, searches: 8 });
describeSampleSearches("native DuckDB", { ...contract, searches: 60 });

test("native DuckDB has a fixed memory limit, not a share of the machine", async () => {
  const settings = await (await createDuckdb()).query("SELECT current_setting('memory_limit') AS most");
  expect(settings.getChild("most")?.get(0)).toBe("488.2 MiB");
});
