import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parsePacksList } from "../../../data/format/packs-list.ts";
import { openSample } from "../../../web/engine/testing/sample.ts";
import { readAreaFile } from "../../../web/hosts/browser/saved-areas/area-file.ts";
import { buildDataset } from "../../builder/dataset/build.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { packFile } from "./pack-file.ts";

const newFolder = temporaryFolders();
const MONACO = { shape: { kind: "country", country: "MC" }, name: "Monaco", hasNames: true } as const;

let dataset: string;
beforeAll(async () => {
  dataset = (await openSample()).folder;
});

test("a page can load the area file, and the list contains its size and hash", async () => {
  const out = await newFolder();
  const pack = await packFile({ dataset, out, ...MONACO });
  const bytes = await readFile(join(out, "Monaco.cairn.tar"));
  expect(pack).toMatchObject({
    name: "Monaco",
    file: "Monaco.cairn.tar",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  const { name, selection, next } = await readAreaFile(new Blob([bytes]));
  expect([name, selection.shape, selection.hasNames]).toEqual(["Monaco", MONACO.shape, true]);
  expect(next.manifest.release).toBe(pack.release);

  const box = await packFile({
    dataset,
    out,
    shape: { kind: "bbox", bbox: [7.42, 43.73, 7.43, 43.74] },
    name: "Port: “Hercule”",
    hasNames: false,
  });
  expect(box.file).toBe("Port-Hercule.cairn.tar");
  // The same command again replaces the entry.
  expect(await packFile({ dataset, out, ...MONACO })).toEqual(pack);
  expect(parsePacksList(await readFile(join(out, "packs.json"), "utf8"))).toEqual([pack, box]);
  expect((await readdir(out)).sort()).toEqual(["Monaco.cairn.tar", "Port-Hercule.cairn.tar", "packs.json"]);
});

test("a page can load the area file of a table", async () => {
  const folder = await newFolder();
  await buildDataset({ sources: ["docs/examples/shops.csv"], out: join(folder, "shops") });
  await packFile({ dataset: join(folder, "shops"), out: folder, ...MONACO });
  const { selection, next } = await readAreaFile(new Blob([await readFile(join(folder, "Monaco.cairn.tar"))]));
  expect(selection.collections).toEqual(["shops"]);
  expect(next.files.length).toBeGreaterThan(0);
});

test("rejects a country without rows, and an invalid list, before it writes a file", async () => {
  const out = await newFolder();
  const none = { ...MONACO, shape: { kind: "country", country: "ZZ" } } as const;
  await expect(packFile({ dataset, out, ...none })).rejects.toThrow(/has no row in ZZ, it has AD, /);
  await writeFile(join(out, "packs.json"), "<!doctype html>");
  await expect(packFile({ dataset, out, ...MONACO })).rejects.toThrow(
    'packs.json is not JSON, it begins with "<!doctype',
  );
  expect(await readdir(out)).toEqual(["packs.json"]);
});
