import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { footerBytesOf, readMetadata } from "../../../data/parquet/index.ts";
import { openDatabase, quoteLiteral } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { withSlimFooter } from "./footers.ts";
import { copyToParquet } from "./row-target.ts";

const newFolder = temporaryFolders();

test("a slim footer keeps rows, and the statistics that readers use to skip row groups", async () => {
  const folder = await newFolder();
  const database = await openDatabase({ folder, threads: 1 });
  const [whole, slim] = [join(folder, "whole.parquet"), join(folder, "slim.parquet")];
  const rows = `
    SELECT printf('%08d é', i) AS id, {'xmin': i / 7, 'xmax': NULL::DOUBLE} AS bbox, [{'name': i::VARCHAR}] AS list,
      MAP {'de': [i]} AS map, NULL::VARCHAR AS empty, i::VARCHAR::BLOB AS geometry
    FROM range(5000) t(i)`;
  await copyToParquet(database, `${rows} ORDER BY i`, whole, {
    level: "small",
    metadata: { geo: "{}", cairn: "contentOf" },
  });
  const bytes = await readFile(whole);
  const less = withSlimFooter(bytes);
  await writeFile(slim, less);
  expect(footerBytesOf(less)).toBeLessThan(0.85 * footerBytesOf(bytes));
  // Only the footer shrinks.
  expect(less.length - bytes.length).toBe(footerBytesOf(less) - footerBytesOf(bytes));

  const sum = (file: string) =>
    database.rows(`SELECT count(*) AS rows, bit_xor(hash(t)) AS hash FROM read_parquet(${quoteLiteral(file)}) t`);
  expect(await sum(slim)).toEqual(await sum(whole));
  const contentOf = (file: string) =>
    database.rows<Record<string, unknown>>(`
      SELECT path_in_schema AS path, stats_min_value AS least, stats_max_value AS greatest, stats_null_count AS nulls,
        row_group_num_rows, num_values, encodings, compression, data_page_offset, dictionary_page_offset,
        total_compressed_size, total_uncompressed_size
      FROM parquet_metadata(${quoteLiteral(file)})`);
  const [before, after] = [await contentOf(whole), await contentOf(slim)];
  database.close();
  expect(after).toEqual(
    before.map((column) => {
      if (/^(list|map)/.test(String(column.path))) return { ...column, least: null, greatest: null, nulls: null };
      return column.path === "geometry" ? { ...column, least: null, greatest: null } : column;
    }),
  );
  expect(after.filter(({ least }) => least !== null).map(({ path }) => path)).toEqual(
    [1, 2, 3].flatMap(() => ["id", "bbox, xmin"]),
  );
  const [own, old] = [readMetadata(less), readMetadata(bytes)];
  expect({ ...own, row_groups: [], metadata_length: 0 }).toEqual({ ...old, row_groups: [], metadata_length: 0 });
});
