import { execFile } from "node:child_process";
import { cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openDatabase } from "../../base/database/database.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { readAttributions } from "./attribution.ts";
import { typeSources, typesOfColumns } from "./measure-sources.ts";
import { findSources, releaseOfExtracts, typeOfName, typeOfPath } from "./sources.ts";

const PLACE = "data/sample/monaco/place.parquet";
const newFolder = temporaryFolders();

/** Names and types of the found files, or the error. */
async function typesOf(...args: string[]): Promise<string[]> {
  const database = await openDatabase({ folder: await newFolder() });
  try {
    const { typed } = await typeSources(database, await findSources(args));
    return typed.map(({ name, type }) => `${name} ${type}`);
  } finally {
    database.close();
  }
}

test.each([
  ["release/theme=places/type=place/part-0.parquet", "place"],
  ["type=water/x/type=land_use/part.parquet", "land_use"],
  ["places/part-0.parquet", undefined],
])("the path %s has the type %s", (path, type) => {
  expect(typeOfPath(path)).toBe(type);
});

test("a type= folder with an unknown type is an error that lists the known types", () => {
  expect(() => typeOfPath("type=pub/x.parquet")).toThrow(/type=pub.*one of place, building, .*division_boundary/);
});

test.each([
  ["a/place.parquet", "place"],
  ["division_area.zstd.parquet", "division_area"],
  ["part-00000.parquet", undefined],
  ["place_building.parquet", undefined],
])("the name %s has the type %s", (path, type) => {
  expect(typeOfName(path)).toBe(type);
});

test("the path wins over the type column, and the column over the name", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "theme=base/type=water"), { recursive: true });
  await cp("data/sample/tokyo/division.parquet", join(folder, "theme=base/type=water/part.parquet"));
  await cp("data/sample/tokyo/division.parquet", join(folder, "segment.parquet"));
  await cp(PLACE, join(folder, "place.parquet"));
  await writeGeoJson(folder, "export.geojson", [point("a", 1, 2, { type: "land" })]);
  await writeGeoJson(folder, "connector.json", [point("a", 1, 2, { type: "crossing" })]);
  await writeFile(join(folder, "building_part.jsonl"), "");
  expect(await typesOf(folder)).toEqual([
    "building_part.jsonl building_part",
    "connector.json connector",
    "export.geojson land",
    "place.parquet place",
    "segment.parquet division",
    "theme=base/type=water/part.parquet water",
  ]);
});

test("the columns of Overture's files show their type", async () => {
  const folder = await newFolder();
  const types = ["place", "building", "division", "division_area", "segment"];
  for (const type of types) await cp(`data/sample/monaco/${type}.parquet`, join(folder, `part-${type}.parquet`));
  expect(await typesOf(folder)).toEqual(types.map((type) => `part-${type}.parquet ${type}`).sort());
});

test.each([
  ["id version sources geometry bbox", ["connector"]],
  ["id version sources subtype cartography", ["land_cover"]],
  ["id version sources names.primary names.common categories.primary", ["place"]],
  ["id version sources names subtype class surface elevation level wikidata source_tags", ["land", "land_use"]],
  ["id names categories addresses", []],
])("the columns %s fit %j", (columns, types) => {
  expect(typesOfColumns(columns.split(" "))).toEqual(types);
});

test("a file of the user is a table, whatever its column type contains", async () => {
  const folder = await newFolder();
  const pubs = await writeGeoJson(folder, "pubs.geojson", [point("a", 1, 2, { type: "pub" })]);
  await writeFile(join(folder, "list.json"), '[{"lat": 1, "lng": 2}]');
  expect(await typesOf(pubs, join(folder, "list.json"))).toEqual([]);
});

test("a file without a type is an error that names it", async () => {
  const folder = await newFolder();
  await writeGeoJson(folder, "part-00000.geojson", [point("a", 1, 2, { version: 1, sources: [], surface: "sand" })]);
  await expect(typesOf(folder)).rejects.toThrow(
    /part-00000\.geojson: type unknown \(its columns fit infrastructure and land and land_use\).*one of place,/,
  );
  await writeGeoJson(folder, "part-00000.geojson", [point("a", 1, 2, { names: {}, categories: {} })]);
  await expect(typesOf(folder)).rejects.toThrow(/part-00000\.geojson: type unknown \(no type column\).*one of place,/);
  await rename(join(folder, "part-00000.geojson"), join(folder, "place.geojson"));
  await writeGeoJson(folder, "export.geojson", [point("a", 1, 2, { type: "pub" })]);
  await expect(typesOf(folder)).rejects.toThrow(/export\.geojson: type unknown \(type is pub\)/);
});

test("a name that looks like a pattern matches only that file", async () => {
  const folder = await newFolder();
  await cp("data/sample/tokyo/division.parquet", join(folder, "x.parquet"));
  await cp("data/sample/tokyo/division_area.parquet", join(folder, "[xy].parquet"));
  expect(await typesOf(folder)).toEqual(["[xy].parquet division_area", "x.parquet division"]);
});

test("hidden files, other formats and attributions are not sources, and a folder without sources is an error", async () => {
  const folder = await newFolder();
  for (const name of ["_SUCCESS.parquet", ".place.parquet", "notes.md", "attribution.json"]) {
    await writeFile(join(folder, name), "x");
  }
  await expect(findSources([folder])).rejects.toThrow(/no source file, expected .parquet, .geoparquet, .gpq, .geojson/);
  await expect(findSources([join(folder, "missing")])).rejects.toMatchObject({ code: "ENOENT" });
  await expect(findSources([PLACE, PLACE])).rejects.toThrow(/listed twice/);
});

test("pipes and circular links are errors that name them", async () => {
  const folder = await newFolder();
  await promisify(execFile)("mkfifo", [join(folder, "place.geojson")]);
  for (const source of [folder, join(folder, "place.geojson")])
    await expect(findSources([source])).rejects.toThrow(
      /place\.geojson: is a pipe, expected a file; write its content/,
    );
  await rm(join(folder, "place.geojson"));
  for (const [name, read] of [
    ["attribution.json", readAttributions],
    ["extract.json", releaseOfExtracts],
  ] as const) {
    const described = await newFolder();
    await promisify(execFile)("mkfifo", [join(described, name)]);
    await cp(PLACE, join(described, "place.parquet"));
    const files = await findSources([described]);
    await expect(read(files)).rejects.toThrow(`${name}: is a pipe, expected`);
  }
  await cp(PLACE, join(folder, "place.parquet"));
  await mkdir(join(folder, "a/b"), { recursive: true });
  await symlink(folder, join(folder, "a/b/again"));
  await expect(findSources([folder])).rejects.toThrow(
    /a\/b\/again: a symbolic link to .*, a folder that holds it; remove/,
  );
  await rm(join(folder, "a/b/again"));
  await symlink("loop.parquet", join(folder, "loop.parquet"));
  await expect(findSources([folder])).rejects.toMatchObject({ code: "ELOOP", path: join(folder, "loop.parquet") });
  await rm(join(folder, "loop.parquet"));
  // Broken links are ignored unless they have the ending of a source, and a folder may be linked from another one.
  await symlink("nowhere", join(folder, "README"));
  await symlink(join(folder, "place.parquet"), join(folder, "a/b/place.parquet"));
  expect((await findSources([folder])).map(({ name }) => name)).toEqual(["a/b/place.parquet", "place.parquet"]);
  // It may be a folder of sources.
  await symlink("x".repeat(300), join(folder, "unknown"));
  await expect(findSources([folder])).rejects.toMatchObject({ code: "ENAMETOOLONG" });
});

test("an invalid Parquet file is an error that names it", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "export.parquet"), "hello");
  await expect(typesOf(folder)).rejects.toThrow(/export\.parquet: not a Parquet file/);
});

test("a list contains files and folders, relative to itself", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "release/theme=base/type=water"), { recursive: true });
  await cp("data/sample/tokyo/division.parquet", join(folder, "release/theme=base/type=water/part-00000.zstd.parquet"));
  await cp(PLACE, join(folder, "place.parquet"));
  await writeFile(join(folder, "list.txt"), "# what is built\n\nplace.parquet\r\n  release\n");
  const found = ["place.parquet place", "theme=base/type=water/part-00000.zstd.parquet water"];
  expect(await typesOf(`@${join(folder, "list.txt")}`)).toEqual(found);
  expect(await typesOf(join(folder, "place.parquet"), join(folder, "release"))).toEqual(found);
  const twice = findSources([`@${join(folder, "list.txt")}`, join(folder, "release")]);
  await expect(twice).rejects.toThrow(/part-00000\.zstd\.parquet: listed twice/);
});

test("a list that is unreadable or empty is reported", async () => {
  const list = join(await newFolder(), "list.txt");
  await expect(findSources([`@${list}`])).rejects.toMatchObject({ code: "ENOENT", path: list });
  await writeFile(list, "# nothing yet\n");
  await expect(findSources([`@${list}`])).rejects.toThrow(`@${list}: names no source`);
});
