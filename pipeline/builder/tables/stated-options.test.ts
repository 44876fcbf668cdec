import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { buildDataset } from "../dataset/build.ts";
import type { TableReport } from "./own-tables.ts";
import { statedOptions } from "./stated-options.ts";

const newFolder = temporaryFolders();

async function stated(content: unknown): Promise<string> {
  const folder = await newFolder();
  await writeFile(join(folder, "cairn.json"), typeof content === "string" ? content : JSON.stringify(content));
  return join(folder, "shops.csv");
}

test("options of the file are used, and those of the command line win one by one", async () => {
  const file = await stated({
    name: "town_shops",
    lat: "Y",
    lng: "X",
    roles: { hours: "Times", description: "Note" },
    files: { "shops.csv": { crs: "EPSG:25832", roles: { price: "Cost" } }, "other.csv": { name: "other" } },
  });
  const { options, from } = await statedOptions(file, {});
  expect(from).toMatch(/cairn\.json$/);
  expect(options).toEqual({
    name: "town_shops",
    lat: "Y",
    lng: "X",
    crs: "EPSG:25832",
    roles: { hours: "Times", description: "Note", price: "Cost" },
  });
  const given = { name: "mine", geometry: "WKT", roles: { hours: "Open" } };
  expect((await statedOptions(file, given)).options).toEqual({
    name: "mine",
    geometry: "WKT",
    crs: "EPSG:25832",
    roles: { hours: "Open", description: "Note", price: "Cost" },
  });
});

test("coordinates of one table replace those of the folder", async () => {
  const pair = { lat: "Y", lng: "X" };
  const file = await stated({ geometry: "WKT", files: { "shops.csv": pair } });
  expect((await statedOptions(file, {})).options).toEqual(pair);
  const other = await stated({ ...pair, files: { "shops.csv": { geometry: "WKT" } } });
  expect((await statedOptions(other, {})).options).toEqual({ geometry: "WKT" });
});

test("without the file nothing changes", async () => {
  const file = join(await newFolder(), "shops.csv");
  expect(await statedOptions(file, { name: "a" })).toEqual({ options: { name: "a" }, from: undefined });
});

test.each<[unknown, RegExp]>([
  ["{", /cairn\.json: not JSON/],
  [[], /cairn\.json: the whole: /],
  [{ titel: "x" }, /cairn\.json: the whole: unknown "titel", expected name, lat, lng, geometry, crs, roles, files$/],
  [{ roles: { opening: "Times" } }, /cairn\.json: roles.*expected (one of )?id, name, names, category/],
  [{ roles: { hours: 3 } }, /cairn\.json: roles\.hours: .*string/],
  [{ lat: "Y" }, /cairn\.json: expected lat and lng, got only lat$/],
  [{ lat: "Y", lng: "X", geometry: "G" }, /cairn\.json: expected geometry, or lat and lng, got both$/],
  [{ files: { "a.csv": { lng: "X" } } }, /cairn\.json: files\.a\.csv: expected lat and lng, got only lng$/],
  [`"${"x".repeat(100_001)}"`, /cairn\.json: 100003 characters, expected at most 100000$/],
])("invalid content is reported: %#", async (content, message) => {
  await expect(statedOptions(await stated(content), {})).rejects.toThrow(message);
});

async function build(content: unknown): Promise<TableReport[]> {
  const file = await stated(content);
  await copyFile("docs/examples/shops.csv", file);
  const reports: TableReport[] = [];
  const onTable = (report: TableReport) => reports.push(report);
  // the last row of the example has no coordinates
  await buildDataset({ sources: [file], out: `${file}.dataset`, mostRejects: 0.5, onTable });
  return reports;
}

test("a build uses the file and reports it", async () => {
  const [report] = await build({ name: "town_shops", roles: { description: "Website" } });
  expect(report?.name).toBe("town_shops");
  expect(report?.settings).toMatch(/cairn\.json$/);
  expect(report?.columns.find(({ column }) => column === "Website")?.role).toBe("description");
});

test("a build names the file in its errors", async () => {
  await expect(build({ roles: { hours: "Times" } })).rejects.toThrow(
    /cairn\.json: roles\.hours is "Times": the table has no column Times; it has Name, /,
  );
  await expect(build({ name: "Places!" })).rejects.toThrow(
    /cairn\.json: name is "Places!", expected a lower-case letter/,
  );
  await expect(build({ lat: "North", lng: "East" })).rejects.toThrow(
    /--lat North: no such column; .* \(options of .*cairn\.json\)/,
  );
});
