import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase, quoteLiteral } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { createJointFooter } from "./footers.ts";
import { copyToParquet } from "./row-target.ts";

const newFolder = temporaryFolders();

test("concatenated files with a joint footer are one file, with the rows and the statistics of each", async () => {
  const folder = await newFolder();
  const database = await openDatabase({ folder, threads: 1 });
  const paths = [0, 1, 2].map((part) => join(folder, `${part}.parquet`));
  for (const [part, path] of paths.entries()) {
    const rows = `
      SELECT printf('%08d-a text of more than sixteen bytes, é', i) AS id, i / 7 AS height, [i, NULL] AS levels,
        unhex(printf('0101000000%016x%016x', hash(i), hash(-i))) AS geometry, {'a': {'b': i % 2 = 0}} AS nested
      FROM range(${3000 * part}, ${3000 * part + 3000}) t(i)`;
    await copyToParquet(database, `${rows} ORDER BY i`, path, {
      level: "small",
      metadata: { geo: `{"part":${part}}`, cairn: "same" },
    });
  }
  const footer = createJointFooter();
  const files = await Promise.all(paths.map((path) => readFile(path)));
  let offset = 0;
  for (const bytes of files) {
    footer.add({ bytes, offset });
    offset += bytes.length;
  }
  const pack = join(folder, "pack.parquet");
  await writeFile(pack, Buffer.concat([...files, footer.write({ geo: '{"part":"all"}' })]));

  const sum = (from: string) =>
    database.rows(`SELECT count(*) AS rows, bit_xor(hash(t)) AS hash FROM read_parquet(${from}) t`);
  const list = `[${paths.map(quoteLiteral).join(", ")}]`;
  expect(await sum(quoteLiteral(pack))).toEqual(await sum(list));
  const groupsOf = (path: string) =>
    database.rows<Record<string, unknown>>(`
      SELECT row_group_num_rows, path_in_schema, num_values, stats_min_value, stats_max_value, stats_null_count, encodings,
        total_compressed_size
      FROM parquet_metadata(${quoteLiteral(path)})`);
  const each = await Promise.all(paths.map(groupsOf));
  expect(each.flat().length).toBeGreaterThan(20);
  expect(await groupsOf(pack)).toEqual(each.flat());
  const keys = await database.rows(
    `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${quoteLiteral(pack)}) ORDER BY key`,
  );
  database.close();
  expect(keys).toEqual([
    { key: "cairn", value: "same" },
    { key: "geo", value: '{"part":"all"}' },
  ]);
});
