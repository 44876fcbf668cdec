import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeAttribution } from "../../overture/extract/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { readAttributions } from "./attribution.ts";

const newFolder = temporaryFolders();
const entry = (dataset: string, text: string) => ({ dataset, license: "CC0-1.0", text });

test("entries are read from the file's folder up to the source, but not above it", async () => {
  const top = await newFolder();
  const [root, inner] = [join(top, "source"), join(top, "source/city")];
  await mkdir(inner, { recursive: true });
  for (const [folder, text] of [
    [top, "outside"],
    [root, "root"],
    [inner, "inner"],
  ] as const) {
    await writeFile(join(folder, "attribution.json"), JSON.stringify([entry("a", text)]));
  }
  const file = { path: join(inner, "place.parquet"), name: "city/place.parquet", root, format: "parquet" } as const;
  expect((await readAttributions([file])).map(({ text }) => text)).toEqual(["inner", "root"]);
  await writeFile(join(inner, "attribution.json"), '[{"dataset": "a"}]');
  await expect(readAttributions([file])).rejects.toThrow(/attribution\.json: not a list of/);
  const script = { ...entry("a", "x"), url: "javascript:alert(1)" };
  await writeFile(join(inner, "attribution.json"), JSON.stringify([script]));
  await expect(readAttributions([file])).rejects.toThrow(/url http or https/);
});

test("every dataset has one entry: the first that was read, or the one from its rows", () => {
  const citations = [
    { dataset: "a", license: "ODbL-1.0", rows: 9 },
    { dataset: "z", license: null, rows: 9 },
    { dataset: "b", license: "rare", rows: 1 },
    { dataset: "b", license: "usual", rows: 2 },
  ];
  expect(mergeAttribution([entry("a", "first"), entry("a", "second"), entry("unused", "kept")], citations)).toEqual([
    entry("a", "first"),
    entry("unused", "kept"),
    { dataset: "b", license: "usual", text: "b" },
    { dataset: "z", license: "unknown", text: "z" },
  ]);
});
