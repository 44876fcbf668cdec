import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { filesBelow } from "../../../pipeline/base/disk/files.ts";
import { temporaryFolders } from "../../../pipeline/testing/folders.ts";
import { readParquet } from "../../../pipeline/testing/read-parquet.ts";
import { makeRelease } from "./release.ts";

const newFolder = temporaryFolders();

test("a release has files with several row groups, and a catalogue that links to each", async () => {
  const out = await newFolder();
  const files = await makeRelease({ out, releases: ["2026-09-23.0", "2026-10-21.0"], types: ["place", "address"] });
  const names = ["place", "place", "address", "address", "address"];
  expect(files.map(({ release, type }) => `${release} ${type}`)).toEqual(
    ["2026-09-23.0", "2026-10-21.0"].flatMap((release) => names.map((name) => `${release} ${name}`)),
  );
  expect(files.filter(({ groups }) => groups > 1).length).toBeGreaterThan(4);
  for (const { path, rows, groups } of files) {
    const content = await readFile(join(out, path));
    expect(parquetMetadata(content).row_groups).toHaveLength(groups);
    expect(await readParquet(join(out, path))).toHaveLength(rows);
  }
  const paths = await filesBelow(out);
  const documents = paths.filter((path) => path.endsWith(".json"));
  const assets: string[] = [];
  for (const path of documents) {
    const document = JSON.parse(await readFile(join(out, path), "utf8"));
    for (const { rel, href } of document.links) {
      const target = href.replace("https://stac.overturemaps.org/", "");
      expect(documents, `${path}: ${rel}`).toContain(target);
    }
    assets.push(...Object.values(document.assets ?? {}).map((asset) => (asset as { href: string }).href));
  }
  const named = new Set(assets.map((href) => href.replace(/^.*\/release\//, "release/")));
  expect([...named].sort()).toEqual(files.map(({ path }) => path).sort());
  expect(JSON.parse(await readFile(join(out, "catalog.json"), "utf8")).latest).toBe("2026-10-21.0");
});

test("the same release has the same bytes", async () => {
  const [one, two] = [await newFolder(), await newFolder()];
  for (const out of [one, two]) await makeRelease({ out, releases: ["2026-10-21.0"], types: ["place"] });
  for (const path of await filesBelow(one)) {
    expect(await readFile(join(two, path)), path).toEqual(await readFile(join(one, path)));
  }
});
