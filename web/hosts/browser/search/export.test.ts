import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";
import { beforeAll, describe, expect, test } from "vitest";
import { type Dataset, type Feature, openDataset } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { withMethods } from "../../../engine/testing/with-methods.ts";
import { areaOf } from "../../../map/drawn-area.ts";
import { FORMAT_NAMES, type FormatName, formatNamed } from "../../../search/index.ts";
import { readFormat } from "../../../search/testing/read-format.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { exportedRows, holdFile } from "../own-files/held-file.ts";
import type { ExportArgument, ExportedRows, ExportProgress } from "../protocol/export-calls.ts";
import { writeExport } from "./export.ts";

const PLACES = {
  path: "/places",
  parameters: { lat: "40.0165", lng: "-105.271", radius: "400", limit: "25", page: "1" },
};
let dataset: Dataset;

beforeAll(async () => {
  dataset = openDataset({ source: folderSource(await buildSample()), decode: decodeParquet });
}, 300_000);

async function exported(argument: Partial<ExportArgument>, rows?: ExportedRows) {
  const progress: ExportProgress[] = [];
  const onProgress = (state: ExportProgress) => progress.push(state);
  const result = await writeExport(
    { ...PLACES, format: "json", ...argument },
    { dataset, rows, onProgress, pageRecords: 100 },
  );
  const written = new Uint8Array((await result.blob?.arrayBuffer()) ?? []);
  return { ...result, written, progress };
}

/** The second page of the search. */
async function listedRecords(): Promise<readonly Feature[]> {
  const circle = { lat: 40.0165, lon: -105.271, radiusMeters: 400 };
  return [...(await dataset.search({ collections: ["place"], circle, offset: 25, limit: 25 })).features()];
}

async function idsOf(format: FormatName, written: Uint8Array<ArrayBuffer>): Promise<string[]> {
  return (await readFormat(format, written)).map(({ id }) => id);
}

describe.each(FORMAT_NAMES)("an export as %s", (format) => {
  test("of all results contains every record once, in order, over several pages", async () => {
    const circle = { lat: 40.0165, lon: -105.271, radiusMeters: 400 };
    const { features, total } = await dataset.search({ collections: ["place"], circle, offset: 0, limit: 25_000 });
    expect(total).toBeGreaterThan(200);
    const { written, records, bytes } = await exported({ format });
    expect(await idsOf(format, written)).toEqual(Array.from(features(), ({ id }) => id));
    expect({ records, bytes }).toEqual({ records: total, bytes: written.byteLength });
  });

  test("of the records in a list contains these", async () => {
    const listed = await listedRecords();
    const { written, records } = await exported({ format, records: listed });
    expect(await idsOf(format, written)).toEqual(listed.map(({ id }) => id));
    expect(records).toBe(25);
  });
});

describe("rows of the user's own files", () => {
  const OWN = `id,name,lat,lng,category,version,"=SUM(1)",phones
x1,Tent,40.0166,-105.271,cafe,7,"=2",123
x2,Far,41,-105,cafe,7,,
x3,,40.0165,-105.271,bar,8,plain,
`;

  async function rowsOf(question: Pick<ExportArgument, "rows">): Promise<ExportedRows> {
    const options = { id: "1", decode: decodeParquet, tables: new Set<string>(), isKept: false };
    const held = await holdFile(new File([OWN], "tents.csv"), options);
    return exportedRows([held], { ...PLACES, rows: question.rows ?? "all" });
  }

  test.each(FORMAT_NAMES)("follow the records, by distance, as %s", async (format) => {
    const rows = await rowsOf({});
    const before = await idsOf(format, (await exported({ format })).written);
    const { written, records, total } = await exported({ format }, rows);
    const found = await readFormat(format, written);
    expect(found.map(({ id }) => id)).toEqual([...before, "tents.csv#3", "tents.csv#1"]);
    expect([records, total]).toEqual([found.length, before.length + 2]);
    expect(found.at(-1)).toMatchObject({ name: "Tent", geometry: { type: "Point", coordinates: [-105.271, 40.0166] } });
    const text = new TextDecoder().decode(written);
    // CSV and plain JSON have no place for credits
    if (formatNamed(format).hasCredit) expect(text).toContain("tents.csv, a file added by the user");
    expect(text).toContain("tents.csv");
  });

  test("are those of a list if requested, and count for their file", async () => {
    const page = [{ file: "1", row: 0, title: "Tent", distanceMeters: 11.1 }];
    const { sources, written, unnamed } = await exported(
      { records: await listedRecords() },
      await rowsOf({ rows: page }),
    );
    const features = JSON.parse(new TextDecoder().decode(written));
    expect(features).toHaveLength(26);
    expect(features.at(-1)).toEqual({
      id: "tents.csv#1",
      type: "Feature",
      geometry: { type: "Point", coordinates: [-105.271, 40.0166] },
      properties: {
        ...{ own_id: "x1", name: "Tent", category: "cafe", version: 7 },
        ...{ "=SUM(1)": "=2", phones: 123, names: { primary: "Tent" }, ext_distance: 11.1 },
        sources: [{ dataset: "tents.csv", record_id: "1" }],
      },
    });
    expect(sources).toContainEqual({ dataset: "tents.csv", license: undefined, records: 1 });
    expect(unnamed).toBe(0);
  });

  test("add their columns to tables; columns with the same name are shared", async () => {
    const { written } = await exported({ format: "spreadsheet" }, await rowsOf({}));
    const { data } = Papa.parse<Record<string, string>>(new TextDecoder().decode(written), { header: true });
    const tent = data.find(({ id }) => id === "tents.csv#1");
    expect(tent).toMatchObject({
      ...{ own_id: "x1", name: "Tent", category: "cafe", version: "7", phones: "123" },
      ...{ "'=SUM(1)": "'=2", sources: "tents.csv" },
    });
    expect(Object.keys(tent ?? {})).not.toContain("lat");
    const parquet = await exported({ format: "geoparquet" }, await rowsOf({}));
    const table = await parquetReadObjects({ file: parquet.written.buffer });
    expect(table.at(-1)).toMatchObject({ id: "tents.csv#1", own_id: "x1", category: "cafe", version: "7" });
    expect(table.at(-1)?.phones ?? null).toBeNull();
    expect([table.at(0)?.own_id ?? null, data.at(0)?.own_id]).toEqual([null, ""]);
  });
});

test("chosen records are written in their order, with headers for people", async () => {
  const all = await exported({ format: "json" });
  const features: Feature[] = JSON.parse(new TextDecoder().decode(all.written));
  const records = [features[7], features[2]].filter((feature) => feature !== undefined);
  const headers = { name: "Name of the place", latitude: "North" };
  const { written, total } = await exported({ format: "spreadsheet", records, headers });
  expect(total).toBe(2);
  const { data, meta } = Papa.parse<Record<string, string>>(new TextDecoder().decode(written).replace("\uFEFF", ""), {
    header: true,
  });
  expect(data.slice(0, 2).map(({ Id }) => Id)).toEqual(records.map(({ id }) => id));
  expect(meta.fields).toEqual(expect.arrayContaining(["Name of the place", "North", "Alternate categories"]));
});

test("the sources of the records are counted", async () => {
  const { sources, written, unnamed } = await exported({});
  const rows: { properties: { sources: { dataset: string }[] } }[] = JSON.parse(new TextDecoder().decode(written));
  for (const { dataset: name, license } of sources) {
    const matching = rows.filter(({ properties }) =>
      properties.sources.some(
        (source) => source.dataset === name && (source as { license?: string }).license === license,
      ),
    );
    expect(sources.find((source) => source.dataset === name && source.license === license)?.records).toBe(
      matching.length,
    );
  }
  expect(sources.length).toBeGreaterThan(1);
  expect(unnamed).toBe(0);
});

describe("an export of a drawn area", () => {
  const area = areaOf({ kind: "box", bbox: [-105.28, 40.012, -105.27, 40.02] });

  test("contains the results of the search", async () => {
    const ids = Array.from(
      (await dataset.search({ collections: ["place"], area, offset: 0, limit: 25_000 })).features(),
      ({ id }) => id,
    );
    expect(ids.length).toBeGreaterThan(30);
    const { written, records } = await exported({
      path: "/places",
      parameters: { limit: "40", page: "1" },
      area,
    });
    expect(await idsOf("json", written)).toEqual(ids);
    expect(records).toBe(ids.length);
  });
});

function chosenFile() {
  const kept: Uint8Array[] = [];
  const ends: string[] = [];
  const stream = {
    write: async (bytes: Uint8Array) => void kept.push(bytes),
    close: async () => void ends.push("closed"),
    abort: async () => void ends.push("aborted"),
  };
  const file = { createWritable: async () => stream } as unknown as FileSystemFileHandle;
  return { file, kept, ends };
}

test("a chosen file gets the bytes, and no blob is returned", async () => {
  const { file, kept, ends } = chosenFile();
  const { blob, bytes } = await exported({ file });
  expect(blob).toBeUndefined();
  expect(ends).toEqual(["closed"]);
  expect(kept.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(bytes);
});

test("an abort leaves nothing", async () => {
  const { file, ends } = chosenFile();
  const controller = new AbortController();
  const work = writeExport(
    { ...PLACES, format: "json", file },
    { dataset, pageRecords: 10, onProgress: () => controller.abort(), signal: controller.signal },
  );
  await expect(work).rejects.toThrow(/abort/);
  expect(ends).toEqual(["aborted"]);
});

test("a fault leaves nothing and is reported; a second try is complete", async () => {
  const { file, ends } = chosenFile();
  let searches = 0;
  const failing = withMethods(dataset, (inner) => ({
    search: async (query, options) => {
      searches += 1;
      if (searches === 2) throw new Error("the network went away");
      return inner.search(query, options);
    },
  }));
  const again = () =>
    writeExport({ ...PLACES, format: "csv", file }, { dataset: failing, pageRecords: 100, onProgress: () => {} });
  await expect(again()).rejects.toThrow();
  expect(ends).toEqual(["aborted"]);
  expect((await again()).records).toBeGreaterThan(200);
  expect(ends).toEqual(["aborted", "closed"]);
});

test("a refused search reports why", async () => {
  await expect(exported({ parameters: { lat: "95", lng: "0" } })).rejects.toThrow(/lat must be/);
});
