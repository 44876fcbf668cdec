import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { folderSource } from "./folder-source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-folder-"));
  await writeFile(join(folder, "a"), "hello");
  await writeFile(join(folder, "empty"), "");
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["whole", {}, "hello"],
  ["whole where it is as long as expected", { bytes: 5 }, "hello"],
  ["whole where it is shorter", { bytes: 50 }, "hello"],
  ["with a byte more than expected where it is longer", { bytes: 3 }, "hell"],
  ["with a byte more than it may have", { maxBytes: 2 }, "hel"],
  ["in a range", { range: { start: 1, end: 3 } }, "el"],
  ["in the range that is all of it", { range: { start: 0, end: 5 } }, "hello"],
  ["in a range as far as it goes", { range: { start: 3, end: 9 } }, "lo"],
  ["in a range beyond its end, which is nothing", { range: { start: 7, end: 9 } }, ""],
])("a file is read %s", async (_, options, text) => {
  expect(new TextDecoder().decode(await folderSource(folder).read("a", options))).toBe(text);
});

test("an empty file has no bytes", async () => {
  expect(await folderSource(folder).read("empty")).toHaveLength(0);
});

test.each([
  ["nothing", { status: 404, path: "nothing" }],
  ["a/b", { status: 404 }],
  [".", { status: undefined, message: expect.stringMatching(/cannot be read from .*: EISDIR/) }],
])("%s is a FetchError", async (path, error) => {
  await expect(folderSource(folder).read(path)).rejects.toMatchObject({ name: "FetchError", ...error });
});

test("an aborted read rejects with the reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(folderSource(folder).read("a", { signal })).rejects.toThrow("enough");
});
