import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tangledIndex } from "../../web/engine/testing/tangled-index.ts";
import { diffDatasets } from "../diff/diff.ts";
import { diagnose } from "../doctor/diagnose.ts";
import { startBadHost } from "../doctor/testing/bad-host.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { verifyDataset } from "./verify.ts";

const newFolder = temporaryFolders();

/** A dataset whose pages name each other's children, in a folder. */
async function tangledFolder(): Promise<string> {
  const folder = await newFolder();
  for (const [path, bytes] of tangledIndex({ width: 3, depth: 7 })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

const TWICE = /names page [0-9a-f]{16} twice, expected once/;

test("the verifier tells of pages that name each other's children", async () => {
  const faults = (await verifyDataset(await tangledFolder())).flatMap((line) => line.faults);
  expect(faults).toContainEqual(expect.stringMatching(TWICE));
});

test("so does the doctor, of a host", async () => {
  const host = await startBadHost(await tangledFolder());
  try {
    const { findings } = await diagnose(host.url, { isAll: true });
    expect(findings.map(({ what }) => what)).toContainEqual(expect.stringMatching(TWICE));
  } finally {
    await host.close();
  }
});

test("no difference is counted with such a dataset", async () => {
  const folder = await tangledFolder();
  await expect(diffDatasets(folder, folder)).rejects.toThrow(TWICE);
});
