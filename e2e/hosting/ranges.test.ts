import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, expectAnswer, type MadeUpRelease, makeRelease } from "../../web/hosts/browser/testing/made-up-release.ts";
import { httpSource } from "../../web/hosts/http/http-source.ts";
import { createPackMemory } from "../../web/hosts/http/pack-memory.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import { HOST_NAMES, isInstalled, startRecipe } from "./recipes.ts";

let release: MadeUpRelease;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  release = await makeRelease({ release: "one", cells: 12 });
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function writeSite(folder: string): Promise<string> {
  for (const [path, bytes] of release.files) {
    const file = join(folder, "dataset", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return folder;
}

/** Reads a complete release from a host. */
async function readAll(host: string, sitePath = "") {
  const proxy = await startCountingProxy(host);
  closing.push(proxy.close);
  const packs = createPackMemory();
  expectAnswer(await ask(httpSource(`${proxy.url}${sitePath}dataset/`, { packs }), { west: -1, east: 2 }), [release]);
  const sent = proxy.sent.filter(({ path }) => !path.endsWith("manifest.json"));
  return {
    answers: packs.answers,
    statuses: new Set(sent.map(({ status }) => status)),
    requests: sent.length,
    bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0),
    packs: new Set(sent.map(({ path }) => path)).size,
  };
}

describe.each(HOST_NAMES)("%s", (name) => {
  test.skipIf(!isInstalled(name))(
    `with its recipe serves ranges${isInstalled(name) ? "" : ` (skipped: ${name} is not installed here)`}`,
    async () => {
      const host = await startRecipe(name, writeSite);
      closing.push(host.close);
      const { answers, statuses, requests, packs } = await readAll(host.url, host.path);
      expect([answers, [...statuses]]).toEqual(["ranges", [206]]);
      // Adjacent slices of a pack are one request. Index and dictionary are requested before the slices, and again
      // with them.
      const readTwice = [...release.files.keys()].filter((path) => /_pages|_dictionary/.test(path)).length;
      expect(requests).toBe(packs + readTwice);
    },
  );
});

const PYTHON = ["python3", "python"].find((program) => spawnSync(program, ["--version"]).status === 0);
test.skipIf(!PYTHON)(
  `python -m http.server has no ranges: each pack is downloaded completely, once${PYTHON ? "" : " (skipped: there is no Python here)"}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-python-"));
    await writeSite(folder);
    const args = ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0"];
    const python = spawn(PYTHON ?? "", args, { stdio: ["ignore", "pipe", "ignore"] });
    closing.push(async () => {
      const ended = once(python, "exit");
      python.kill();
      await ended;
      await rm(folder, { recursive: true });
    });
    const [line] = await once(python.stdout, "data");
    const port = /port (\d+)/.exec(String(line))?.[1];
    const { answers, statuses, requests, packs, bytes } = await readAll(`http://127.0.0.1:${port}/`);
    expect([answers, [...statuses]]).toEqual(["whole", [200]]);
    expect(requests).toBe(packs);
    expect(bytes).toBeGreaterThan(
      [...release.files].reduce((sum, [path, file]) => (/term|manifest/.test(path) ? sum : sum + file.length), 0) - 1,
    );
  },
);
