import { stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { makeFolder } from "./folders.ts";

const newFolder = temporaryFolders();

test("creates a folder and its parents, and leaves an existing one", async () => {
  const folder = await newFolder();
  await symlink(folder, join(folder, "link"));
  for (const path of ["a/b/c", "a/b/c", "a/../d/e", "link/f"]) {
    await makeFolder(join(folder, path));
    expect((await stat(join(folder, path))).isDirectory()).toBe(true);
  }
});

test("two callers that create the same folder at the same time both succeed", async () => {
  const folder = await newFolder();
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(folder, "a/b/c/d"))));
  expect((await stat(join(folder, "a/b/c/d"))).isDirectory()).toBe(true);
});

test("an impossible path is an error and does not hang", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "file"), "");
  await symlink("loop", join(folder, "loop"));
  await symlink("nowhere", join(folder, "dangling"));
  await expect(makeFolder(join(folder, "file"))).rejects.toThrow("EEXIST");
  await expect(makeFolder(join(folder, "file/a"))).rejects.toThrow("ENOTDIR");
  await expect(makeFolder(join(folder, "loop/a"))).rejects.toThrow("ELOOP");
  await expect(makeFolder(join(folder, "dangling"))).rejects.toThrow("EEXIST");
});

// Only Linux has procfs.
test.skipIf(process.platform !== "linux")("a folder that the file system rejects is an error", async () => {
  await expect(makeFolder("/proc/x/y")).rejects.toThrow("ENOENT");
});
