import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../base/database/database.ts";
import { explainFullDisk } from "../../base/disk/disk.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { FULL_DISK_ADVICE } from "./build.ts";

const newFolder = temporaryFolders();

/** On Linux, every write to this device fails with ENOSPC. */
const FULL = "/dev/full";

test.runIf(existsSync(FULL))("a full disk is reported as such by every writer", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const attempts = [
    () => database.run(`COPY (SELECT random() FROM range(1_000_000)) TO '${FULL}' (FORMAT csv)`),
    () => writeFile(FULL, "x"),
  ];
  for (const attempt of attempts) {
    const error = await attempt().then(
      () => undefined,
      (thrown: unknown) => explainFullDisk(thrown, "work", FULL_DISK_ADVICE),
    );
    expect(String(error)).toMatch(/^CodedError: work: the disk is full; .* set --temp to a folder on a larger disk$/);
  }
  database.close();
});

test("too little disk space for sorting is reported as a full disk", async () => {
  const database = await openDatabase({ folder: await newFolder(), memoryBytes: 64 * 2 ** 20, threads: 1 });
  await database.run("SET max_temp_directory_size = '1MB'");
  const error = await database
    .run("CREATE TABLE t AS SELECT random() AS a, uuid() AS b FROM range(4_000_000) ORDER BY a")
    .then(
      () => undefined,
      (thrown: unknown) => explainFullDisk(thrown, "work", FULL_DISK_ADVICE),
    );
  expect(String(error)).toContain("the disk is full");
  database.close();
});

test("other errors are not changed", () => {
  const error = new Error("place.parquet: not a Parquet file that can be read");
  expect(explainFullDisk(error, "work", FULL_DISK_ADVICE)).toBe(error);
});
