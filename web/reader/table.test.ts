import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openDatabase, quoteLiteral } from "../../pipeline/base/database/index.ts";
import { buildDataset, parseColumnTables } from "../../pipeline/builder/dataset/index.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { open } from "./index.ts";
import { folder } from "./node.ts";
import { openTable } from "./table.ts";
import type { ReadBytes, Row } from "./types.ts";

const run = promisify(execFile);
const newFolder = temporaryFolders();

let dataset: string;
beforeAll(async () => {
  const scratch = await newFolder();
  const source = join(scratch, "theme=places/type=place");
  await mkdir(source, { recursive: true });
  await cp("data/sample/boulder/place.parquet", join(source, "part-0.parquet"));
  // names that start with a byte order mark, which a decoder of texts may drop
  const database = await openDatabase({ folder: scratch });
  await database.run(`COPY (
    SELECT * REPLACE (struct_update("names", "primary" := chr(65279) || "names"."primary") AS "names") FROM read_parquet('data/sample/monaco/place.parquet')
  ) TO ${quoteLiteral(join(source, "part-1.parquet"))} (FORMAT parquet)`);
  dataset = join(scratch, "dataset");
  await buildDataset({ sources: [scratch], out: dataset, level: "fast", columnTables: parseColumnTables("place") });
});

async function rowsOf(read: ReadBytes, ...[question]: Parameters<Awaited<ReturnType<typeof openTable>>["read"]>) {
  const table = await openTable(read, "place");
  const rows: Row[] = [];
  for await (const some of table.read(question)) rows.push(...some);
  return rows;
}

test.each([
  ["restaurant", ["US", "MC"]],
  ["cafe", ["MC"]],
  ["hotel", undefined],
] as const)("reads the rows of %s in %s, as a search does", async (category, country) => {
  const rows = await rowsOf(folder(dataset), { value: category, country, columns: ["names", "websites", "addresses"] });
  const found = await (await open(folder(dataset))).search("place", { category, country, limit: 25_000 });
  expect(rows.length).toBe(found.total);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ names }) => String((names as { primary?: string }).primary).startsWith("\ufeff"))).toBe(
    country?.[0] !== "US" || country.length > 1,
  );
  const byId = new Map(found.rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const { id, geometry, country: code, websites, names, addresses } = byId.get(row.id) as Row;
    expect(row).toEqual({ id, geometry, country: code, websites, names, addresses });
  }
});

test("reads few bytes, and none without matches", async () => {
  const reads: [path: string, bytes: number][] = [];
  const counted: ReadBytes = async (path, offset, length) => {
    const bytes = await folder(dataset)(path, offset, length);
    reads.push([path, bytes.length]);
    return bytes;
  };
  await rowsOf(counted, { value: "restaurant", columns: ["websites"] });
  const ofFiles = reads.filter(([path]) => path.startsWith("tables/"));
  expect(ofFiles.length).toBeLessThan(6);
  const whole = (
    await Promise.all(
      (await readdir(join(dataset, "tables/place"))).map((name) => readFile(join(dataset, "tables/place", name))),
    )
  ).reduce((sum, { length }) => sum + length, 0);
  expect(ofFiles.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(whole / 4);
  expect(await rowsOf(folder(dataset), { value: "no_such_category" })).toEqual([]);
});

test("a wrong question is an error", async () => {
  const read = folder(dataset);
  await expect(openTable(read, "shops")).rejects.toThrow("no collection shops");
  await expect(rowsOf(read, { value: "cafe", columns: ["colour"] })).rejects.toThrow("has no column colour");
  await expect(rowsOf(read, { value: "cafe", country: "XX" })).rejects.toThrow("place has no country XX");
});

test.each([
  ["missing", /tables\/place.* cannot be read/],
  ["html", /tables\/place/],
  ["damaged", /damaged column chunk/],
] as const)("a %s file is an error", async (what, message) => {
  const damaged = join(await newFolder(), "dataset");
  await cp(dataset, damaged, { recursive: true });
  for (const name of await readdir(join(damaged, "tables/place"))) {
    const file = join(damaged, "tables/place", name);
    const bytes = await readFile(file);
    if (what === "missing") await rm(file);
    else if (what === "html") await writeFile(file, "<!doctype html>");
    else {
      for (let at = 100; at < bytes.length - 60_000; at += 100) bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(file, bytes);
    }
  }
  await expect(rowsOf(folder(damaged), { value: "restaurant" })).rejects.toThrow(message);
});

test("other programs read the files as Parquet", async () => {
  const script = `
import sys, pathlib
sys.path.insert(0, "data/python")
import cairn_reader
files = cairn_reader.open(sys.argv[1]).table_files("place", category="restaurant", country="US")
print(len(files), all(pathlib.Path(file).is_file() for file in files))`;
  const { stdout } = await run("python3", ["-c", script, dataset]);
  expect(stdout.trim()).toMatch(/^[1-9]\d* True$/);
});
