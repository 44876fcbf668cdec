import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { registerDiff } from "./diff.ts";
import { registerVerify } from "./verify.ts";

const newFolder = temporaryFolders();

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Output and exit code of a command. */
async function run(...words: string[]): Promise<{ out: string[]; faults: string[]; code: unknown }> {
  const out = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const faults = vi.spyOn(console, "error").mockImplementation(() => undefined);
  // Tests of other files in this process set it too.
  process.exitCode = undefined;
  const program = new Command();
  registerVerify(program);
  registerDiff(program);
  await program.parseAsync(words, { from: "user" });
  return { out: out.mock.calls.map(String), faults: faults.mock.calls.map(String), code: process.exitCode };
}

test("verify exits with 1 and names the fault, or exits with 0", async () => {
  const folder = await newFolder();
  await writeSmallDataset(folder, { collections: ["division_area"] });
  const right = await run("verify", folder);
  expect(right.faults).toEqual([]);
  expect(right.code).toBeUndefined();
  expect(right.out).toContainEqual(expect.stringMatching(/^ok {4}division_area: records, \d+ checked$/));
  const [pack = ""] = await readdir(join(folder, "division_area/_records"));
  await rm(join(folder, "division_area/_records", pack));
  const wrong = await run("verify", folder);
  expect(wrong.code).toBe(1);
  expect(wrong.faults).toContainEqual(`cairn: division_area/_records/${pack}: missing`);
  expect(wrong.out).toContainEqual(expect.stringMatching(/^FAULT division_area: files/));
});

test("diff prints bytes to upload and to fetch, per collection and in total", async () => {
  const [older, newer] = [await newFolder(), await newFolder()];
  await writeSmallDataset(older, { collections: ["division_area"] });
  await writeSmallDataset(newer, {
    collections: ["division_area"],
    change: {
      groups: (groups) =>
        groups.map((group) =>
          group.map(({ json, geometry }) => {
            const columns = JSON.parse(Buffer.from(json).toString());
            const changed = columns.id === "mc-a0" ? { ...columns, version: 77 } : columns;
            return { json: Buffer.from(JSON.stringify(changed)), geometry };
          }),
        ),
    },
  });
  const { out } = await run("diff", older, newer);
  expect(out).toContainEqual(
    expect.stringMatching(/^division_area records: upload \d+ of \d+ files, \d+ of \d+ bytes; fetch 1 of 2 slices/),
  );
  expect(out.at(-1)).toMatch(
    /^total: upload \d+ of \d+ files, \d+ of \d+ bytes; fetch \d+ of \d+ slices, \d+ of \d+ bytes; \d+ files removed, \d+ bytes$/,
  );
  expect(out.some((line) => line.startsWith("division_area location:"))).toBe(false);
});
