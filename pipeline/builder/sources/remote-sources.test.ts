import { cp, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "../dataset/build.ts";
import { copyCommand, filesAt, identifyFile, quoteSource, reachSources } from "./remote-sources.ts";
import { findSources } from "./sources.ts";

const newFolder = temporaryFolders();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A release of two types in Overture's layout. */
async function makeRelease(): Promise<string> {
  const folder = await newFolder();
  for (const [type, file] of [
    ["theme=divisions/type=division", "tokyo/division"],
    ["theme=places/type=place", "monaco/place"],
  ] as const) {
    await mkdir(join(folder, type), { recursive: true });
    await cp(`data/sample/${file}.parquet`, join(folder, type, "part-00000.zstd.parquet"));
  }
  return folder;
}

/** A database that fails for matching statements and records all of them. */
function unresponsiveDatabase(refused: RegExp): { database: Database; asked: string[] } {
  const asked: string[] = [];
  const run = async (sql: string): Promise<void> => {
    asked.push(sql);
    if (refused.test(sql)) throw new Error(`refused: ${sql}`);
  };
  return { database: { run } as unknown as Database, asked };
}

test("a release at an address gives the same dataset as in a folder", async () => {
  const release = await makeRelease();
  const address = `file://${release}`;
  const found = await findSources([address]);
  expect(found.map(({ name }) => name)).toEqual([
    "theme=divisions/type=division/part-00000.zstd.parquet",
    "theme=places/type=place/part-00000.zstd.parquet",
  ]);
  expect(await filesAt(`${address}/theme=places/type=place/*`)).toEqual([found[1]?.path]);
  const [byAddress, byFolder] = [await newFolder(), await newFolder()];
  const built = await buildDataset({ sources: [address], out: byAddress });
  expect(built).toEqual(await buildDataset({ sources: [release], out: byFolder }));
  expect((await verifyDataset(byAddress)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("without httpfs, an address is an error with a copy command", async () => {
  const { database } = unresponsiveDatabase(/httpfs/);
  await expect(reachSources(database, ["place.parquet", "s3://bucket/release/type=place/*"])).rejects.toThrow(
    "s3://bucket/release/type=place/*: DuckDB's httpfs, which reads the network, is not available; " +
      "copy them first: aws s3 sync --no-sign-request s3://bucket/release/type=place overture",
  );
  expect(copyCommand("https://maps.example/place.parquet")).toBe(
    "curl --create-dirs --output-dir overture -O https://maps.example/place.parquet",
  );
});

test("httpfs is installed only if it is missing, and only for addresses", async () => {
  const there = unresponsiveDatabase(/INSTALL/);
  await reachSources(there.database, ["place.parquet", "file:///place.parquet"]);
  expect(there.asked).toEqual([]);
  await reachSources(there.database, ["s3://bucket/place.parquet"]);
  expect(there.asked).toEqual(["LOAD httpfs", "SET s3_region = 'us-west-2'"]);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "a'b");
  const { database, asked } = unresponsiveDatabase(/nothing/);
  const run = database.run;
  let isInstalled = false;
  const installing = async (sql: string): Promise<void> => {
    isInstalled ||= sql.startsWith("INSTALL");
    await run(sql);
    if (sql.startsWith("LOAD") && !isInstalled) throw new Error("not found");
  };
  await reachSources({ ...database, run: installing }, ["https://maps.example/place.parquet"]);
  expect(asked).toEqual([
    "LOAD httpfs",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET s3_region = 'eu-west-1'",
    "SET s3_access_key_id = 'a''b'",
  ]);
});

test("a remote file that cannot be read is reported", async () => {
  await expect(findSources(["https://maps.example/places.geojson"])).rejects.toThrow(
    "https://maps.example/places.geojson: GeoJSON is read from a disk; copy it first: curl",
  );
  await expect(findSources(["https://maps.example/release/"])).rejects.toThrow("a web address names one .parquet file");
  expect(await filesAt("https://maps.example/place.parquet")).toEqual(["https://maps.example/place.parquet"]);
  expect(quoteSource("https://maps.example/place.parquet?key=1")).toBe("'https://maps.example/place.parquet?key=1'");
});

test("another size or time is another content", async () => {
  const folder = await newFolder();
  const database = await openDatabase({ folder });
  const file = join(folder, "place.parquet");
  const identify = async (content: string, seconds: number) => {
    await writeFile(file, content);
    await utimes(file, seconds, seconds);
    return identifyFile(database, file);
  };
  const first = await identify("one", 1000);
  expect(first.bytes).toBe(3);
  expect(await identify("two", 1000)).toEqual(first);
  expect((await identify("two", 2000)).sha256).not.toBe(first.sha256);
  expect((await identify("three", 1000)).sha256).not.toBe(first.sha256);
  database.close();
});
