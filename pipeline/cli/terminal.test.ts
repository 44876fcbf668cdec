import { join } from "node:path";
import S3rver from "s3rver";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeRelease } from "../../e2e/bench/synth/release.ts";
import { CAIRN } from "../testing/cairn.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { HAS_TERMINAL, openTerminal, type TerminalOptions } from "../testing/terminal.ts";

const newFolder = temporaryFolders();

const HIDDEN_CURSOR = "\x1b[?25l";
const SHOWN_CURSOR = "\x1b[?25h";

const cairn = (args: readonly string[], options?: TerminalOptions) =>
  openTerminal([process.execPath, ...CAIRN, ...args], options);

/** Runs to the end. Returns the output, and whether the terminal is in its initial state. */
async function run(args: readonly string[], options?: TerminalOptions) {
  const session = cairn(args, options);
  const code = await session.ended;
  const text = session.text();
  return { code, text, isCursorShown: text.lastIndexOf(SHOWN_CURSOR) > text.lastIndexOf(HIDDEN_CURSOR) };
}

/** The counts that a bar showed, such as `3/14`. */
const countsIn = (text: string) =>
  [...text.matchAll(/ (\d+)\/(\d+) /g)].map(([, done, total]) => [Number(done), Number(total)] as const);

describe.skipIf(!HAS_TERMINAL)("on a terminal", () => {
  let source: string;
  let mirror: string;

  beforeAll(async () => {
    [source, mirror] = [await newFolder(), await newFolder()];
    await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73)]);
    await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["land"] });
  });

  test("build shows a bar of all its tasks, and ends", async () => {
    const out = join(await newFolder(), "dataset");
    const { code, text, isCursorShown } = await run(["build", source, "--out", out]);
    expect([code, isCursorShown]).toEqual([0, true]);
    expect(text).toMatch(/release \w+: 1 rows in 5 partitions/);
    const counts = countsIn(text);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.filter(([done, total]) => done > total)).toEqual([]);
    const [done = 0, total] = counts.at(-1) ?? [];
    expect(done).toBe(total);
    expect(done).toBeGreaterThan(5);
  });

  test("a build that fails or is interrupted restores the terminal", async () => {
    const failed = await run(["build", source, "--out", join(await newFolder(), "dataset"), "--types", "place"]);
    expect([failed.code, failed.isCursorShown]).toEqual([1, true]);
    const session = cairn(["build", source, "--out", join(await newFolder(), "dataset")]);
    await session.until(/reading the sources/);
    session.interrupt();
    expect(await session.ended).toBe(130);
    expect(session.text().lastIndexOf(SHOWN_CURSOR)).toBeGreaterThan(session.text().lastIndexOf(HIDDEN_CURSOR));
  });

  test("get shows a bar for each type, and ends", async () => {
    const out = join(await newFolder(), "extract");
    const { code, text, isCursorShown } = await run([
      ...["get", "--from", mirror, "--bbox", "7.40,43.72,7.44,43.76", "--out", out],
    ]);
    expect([code, isCursorShown]).toEqual([0, true]);
    expect(text).toMatch(/land +[\d.]+ k?B?(ytes)? of [\d.]+ kB, /);
    expect(text).toContain("next: cairn build");
  });

  test("upload shows a bar, and ends", async () => {
    const store = new S3rver({
      silent: true,
      directory: await newFolder(),
      port: 0,
      configureBuckets: [{ name: "maps", configs: [] }],
    });
    const { port } = await store.run();
    onTestFinished(() => store.close());
    const env = { ...process.env, AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
    const dataset = join(await newFolder(), "dataset");
    expect((await run(["build", source, "--out", dataset])).code).toBe(0);
    const to = ["upload", dataset, "s3://maps/here", "--endpoint", `http://127.0.0.1:${port}`];
    const { code, text, isCursorShown } = await run(to, { env });
    expect([code, isCursorShown]).toEqual([0, true]);
    expect(text).toMatch(/upload +[\d.]+ \w+ of [\d.]+ kB, /);
    expect(text).toMatch(/s3:\/\/maps\/here: \d+ files sent/);
  });

  test("synthesize shows a bar, and ends", async () => {
    const out = await newFolder();
    const command = [process.execPath, "--import", "tsx", "e2e/bench/synth/main.ts", out, "--places", "100"];
    const session = openTerminal(command);
    expect(await session.ended).toBe(0);
    expect(session.text()).toContain("100/100 rows");
    expect(session.text()).toContain("100 rows in 1 file below");
  });

  test("npm start in the repository serves the sample and its page, and ends on an interrupt", async () => {
    const session = openTerminal(["npm", "start", "--", "--port", "0"]);
    const [, url = ""] = await session.until(/page {2}(http:\S+)/);
    expect((await fetch(`${url}places?country=MC&limit=1`)).status).toBe(200);
    expect(await (await fetch(url, { headers: { accept: "text/html" } })).text()).toContain("<title>");
    session.interrupt();
    await session.ended;
    await expect(fetch(url)).rejects.toThrow();
  });
});
