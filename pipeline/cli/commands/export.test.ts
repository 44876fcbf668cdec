import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openSample } from "../../../web/engine/testing/sample.ts";
import { openNodeDataset } from "../../../web/hosts/node/open.ts";
import { readFormat } from "../../../web/search/testing/read-format.ts";
import { buildDataset } from "../../builder/dataset/index.ts";
import { CAIRN } from "../../testing/cairn.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { exportFile } from "./export-file.ts";

const run = promisify(execFile);
const newFolder = temporaryFolders();

let dataset: string;
let ids: readonly string[];
beforeAll(async () => {
  dataset = (await openSample()).folder;
  const found = await openNodeDataset(dataset).search({
    collections: ["place"],
    country: "MC",
    offset: 0,
    limit: 25_000,
  });
  ids = Array.from(found.features(), ({ id }) => id);
});

const idsOf = async (...[format, bytes]: Parameters<typeof readFormat>) =>
  (await readFormat(format, bytes)).map(({ id }) => id);

test("writes all results in the format of the file ending, and leaves no other file", async () => {
  const folder = await newFolder();
  for (const [name, format] of [
    ["a.parquet", "geoparquet"],
    ["a.fgb", "flatgeobuf"],
    ["a.GPX", "gpx"],
    ["a.csv", "csv"],
    ["a", "json"],
  ] as const) {
    const out = join(folder, name);
    const { records, bytes, credits } = await exportFile({ dataset, request: "/places?country=MC", out });
    const written = new Uint8Array(await readFile(out));
    expect([records, bytes, await idsOf(format, written)]).toEqual([ids.length, written.length, ids]);
    // Sources are reported separately if the format cannot contain them.
    expect(credits.length > 0).toBe(format === "csv" || format === "json");
  }
  expect((await readdir(folder)).sort()).toEqual(["a", "a.GPX", "a.csv", "a.fgb", "a.parquet"]);
});

test("a request with a page writes that page only, and its format comes before the ending", async () => {
  const out = join(await newFolder(), "a.csv");
  const request = "/places?country=MC&limit=10&page=2&format=kml";
  expect((await exportFile({ dataset, request, out })).records).toBe(10);
  expect(await idsOf("kml", new Uint8Array(await readFile(out)))).toEqual(ids.slice(20, 30));
});

test("rows of a table are exported with all columns, and its path is among the expected ones", async () => {
  const folder = await newFolder();
  const [file, own, out] = ["cafes.csv", "own", "a.csv"].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(
    file,
    "Nummer;Name;Größe;limit;id;Breite;Länge\n1;Tor;3,5;7;k1;52,5163;13,3777\n2;Süd;4;8;k2;52,48;13,36\n",
  );
  await buildDataset({ sources: [file], out: own });
  await exportFile({ dataset: own, request: "/cafes?Gr%C3%B6%C3%9Fe_min=3.6", out });
  const [header, line] = (await readFile(out, "utf8")).trim().split("\r\n");
  expect(header).toBe("id,longitude,latitude,Nummer,Name,Größe,limit,c.id,geometry");
  // the column id is clearer than Nummer
  expect(line).toMatch(/^k2,13.36,52.48,2,Süd,4,8,k2,/);
  await exportFile({ dataset: own, request: "/cafes", out, columns: "limit" });
  expect((await readFile(out, "utf8")).split("\r\n")[0]).toBe("id,longitude,latitude,limit,geometry");
  await expect(exportFile({ dataset: own, request: "/caffs", out })).rejects.toThrow(/ \/divisions, \/cafes$/);
});

test("--columns keeps these columns of the records of several countries", async () => {
  const out = join(await newFolder(), "a.csv");
  const request = "/places?country=US,MC&categories=cafe";
  const { records } = await exportFile({ dataset, request, out, columns: "names, websites" });
  const [header, ...lines] = (await readFile(out, "utf8")).trim().split("\r\n");
  expect(header).toBe("id,longitude,latitude,name,websites");
  expect(lines.length).toBe(records);
  expect(records).toBeGreaterThan(60);
});

test("--columns with an unknown column, and columns in the request too, are errors", async () => {
  const out = join(await newFolder(), "a.csv");
  const request = "/places?country=MC";
  await expect(exportFile({ dataset, request, out, columns: "names,nmaes" })).rejects.toThrow(
    /--columns has nmaes, which no record has; the nearest is names/,
  );
  await expect(exportFile({ dataset, request: `${request}&includes=id`, out, columns: "names" })).rejects.toThrow(
    "columns are set twice: id in the request, names by --columns",
  );
  await expect(readFile(out)).rejects.toThrow("ENOENT");
});

test("a failed export leaves the existing file and no temporary file", async () => {
  const folder = await newFolder();
  const out = join(folder, "a.gpx");
  await writeFile(out, "older");
  const wrong: readonly (readonly [request: string, message: string, format?: string])[] = [
    [
      "/places?country=MC",
      'format must be one of json, csv, geojson, geojsonl, spreadsheet, gpx, kml, flatgeobuf, geoparquet, got "shp"',
      "shp",
    ],
    ["/places?country=MC&format=kml", "format is set twice: kml in the request, gpx by --format", "gpx"],
    ["/places/brands", "/places/brands is not a search path; expected one of /places, "],
    ["/places?country=MC&raduis=1", '"raduis" is not a parameter here; the nearest is radius'],
  ];
  for (const [request, message, format] of wrong) {
    await expect(exportFile({ dataset, request, out, format })).rejects.toThrow(message);
  }
  const controller = new AbortController();
  const work = exportFile({ dataset, request: "/transportation?country=US", out, signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(work).rejects.toThrow(/abort/);
  expect(await readdir(folder)).toEqual(["a.gpx"]);
  expect(await readFile(out, "utf8")).toBe("older");
});

test("standard output contains only the file", async () => {
  const command = [...CAIRN, "export", dataset, "/places?country=MC"];
  const { stdout, stderr } = await run(process.execPath, [...command, "--format", "geoparquet", "--out", "-"], {
    encoding: "buffer",
    maxBuffer: 2 ** 26,
  });
  expect(await idsOf("geoparquet", new Uint8Array(stdout))).toEqual(ids);
  expect(stderr.toString()).toBe("");
});
