import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { open } from "../../web/reader/index.ts";
import { folder } from "../../web/reader/node.ts";
import { buildReaderPackage } from "../../web/site/reader-package.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { startStaticServer } from "../support/static-server.ts";

const run = promisify(execFile);
const MOST_BYTES = 60 * 1000;
const MOST_GZIP_BYTES = 20 * 1000;
const NEAR = { lat: 43.7384, lng: 7.4246, radius: 500, category: "cafe", limit: 10 };

let scratch: string;
let installed: string;
let sample: string;
beforeAll(async () => {
  sample = await buildSample();
  scratch = await realpath(await mkdtemp(join(tmpdir(), "cairn-reader-")));
  installed = join(scratch, "node_modules/cairn-reader");
  await buildReaderPackage(installed);
  await writeFile(join(scratch, "package.json"), '{ "private": true, "type": "module" }\n');
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("the module is small, and imports nothing", async () => {
  const module = await readFile(join(installed, "index.js"));
  expect(module.length).toBeLessThan(MOST_BYTES);
  expect(gzipSync(module, { level: 9 }).length).toBeLessThan(MOST_GZIP_BYTES);
  expect(module.toString()).not.toMatch(/\b(?:from|import)\s*\(?["']/);
  const { dependencies, version } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect([dependencies, version]).toEqual([undefined, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
});

test("a program of 15 lines searches a dataset on a static host", async () => {
  const example = await readFile("docs/examples/reader/places.mjs", "utf8");
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  await writeFile(join(scratch, "places.mjs"), example);
  const found = await (await open(folder(sample))).search("place", NEAR);
  expect(found.rows.length).toBeGreaterThan(5);
  for (const hasRanges of [true, false]) {
    const host = await startStaticServer({ folders: { "/dataset/": sample }, hasRanges });
    try {
      const { lat, lng, radius } = NEAR;
      const asked = [`${host.url}dataset/`, lat, lng, radius].map(String);
      const { stdout } = await run("node", ["places.mjs", ...asked], { cwd: scratch });
      const [first, ...lines] = stdout.trimEnd().split("\n");
      expect(first).toMatch(new RegExp(`^${found.total} cafes in `));
      expect(lines.slice(0, found.rows.length)).toEqual(
        found.rows.map(({ ext_distance, names }) => `${ext_distance} ${(names as { primary: string }).primary}`),
      );
      expect(lines).toContain("© OpenStreetMap contributors");
      if (hasRanges) expect(host.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(600_000);
    } finally {
      await host.close();
    }
  }
});

/** The program of Bun. The install script of its package moves it, and npm may run no scripts. */
const BUN = [
  `node_modules/@oven/bun-${process.platform}-${process.arch.replace("arm64", "aarch64")}/bin/bun`,
  "node_modules/bun/bin/bun.exe",
].find((path) => existsSync(path));
/** Commands of other JavaScript runtimes. */
const RUNTIMES: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  [
    "Deno",
    process.execPath,
    "node_modules/deno/bin.cjs",
    "run",
    "--node-modules-dir=manual",
    "--no-remote",
    "--allow-net",
  ],
  ["Bun", BUN ?? "no program of Bun in node_modules", "run"],
];

test.each(RUNTIMES)("the program runs in %s and prints the same", async (_, program, ...args) => {
  const { lat, lng, radius } = NEAR;
  const host = await startStaticServer({ folders: { "/dataset/": sample } });
  try {
    const asked = ["places.mjs", `${host.url}dataset/`, ...[lat, lng, radius].map(String)];
    await cp("docs/examples/reader/places.mjs", join(scratch, "places.mjs"));
    const at = (text: string) => (text.startsWith("node_modules/") ? resolve(text) : text);
    const [inNode, there] = await Promise.all([
      run("node", asked, { cwd: scratch }),
      run(at(program), [...args.map(at), ...asked], { cwd: scratch, env: { ...process.env, DENO_DIR: scratch } }),
    ]);
    expect(inNode.stdout).toMatch(/^\d+ cafes in /);
    expect(there.stdout).toBe(inNode.stdout);
  } finally {
    await host.close();
  }
});

test("it runs in a page and in a worker", async () => {
  const site = join(scratch, "site");
  await mkdir(site);
  await cp(join(installed, "index.js"), join(site, "reader.js"));
  const search = `const dataset = await open(new URL("/dataset/", location.href));
    const { total } = await dataset.search("place", ${JSON.stringify(NEAR)});`;
  await writeFile(join(site, "worker.js"), `import { open } from "./reader.js";\n${search}\npostMessage(total);\n`);
  await writeFile(
    join(site, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Reader</title><link rel="icon" href="data:,"><output></output>
    <script type="module">import { open } from "./reader.js"; ${search}
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => { document.querySelector("output").textContent = total + " " + data; };
    </script>`,
  );
  const host = await startStaticServer({ folders: { "/": site, "/dataset/": sample } });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(host.url);
    const { total } = await (await open(folder(sample))).search("place", NEAR);
    await page.waitForFunction((text) => document.querySelector("output")?.textContent === text, `${total} ${total}`);
  } finally {
    await browser.close();
    await host.close();
  }
});

test.each([
  { module: "esnext", moduleResolution: "bundler" },
  { module: "node16", moduleResolution: "node16" },
])("its types compile in a strict program: $moduleResolution", async (options) => {
  const program = `
import { type CairnError, type Dataset, type Found, open, type Row } from "cairn-reader";
import { folder } from "cairn-reader/node";
const dataset: Dataset = await open(folder("dataset"), { cacheBytes: 1e6 });
const found: Found = await dataset.search("place", { lat: 43.7, lng: 7.4, category: ["cafe"], limit: 5 });
const row: Row | undefined = await dataset.get("place", "id");
const cells = await dataset.cells("place", { chars: 5 });
const text = (error: CairnError) => error.message.trim();
console.log(found.total.toFixed(), row?.geometry.type, row?.ext_distance?.toFixed(), cells[0]?.cell.length, text);
await open("https://maps.example/", { fetch });
await open(async (path: string, offset?: number, length?: number) => new Uint8Array(path.length + (offset ?? 0) + (length ?? 0)));
`;
  const mistakes = [
    'await dataset.search("place", { latitude: 1 });',
    "const total: string = found.total;",
    "await open(5);",
  ];
  const marked = mistakes.map((line) => `// @ts-expect-error\n${line}`).join("\n");
  const project = join(scratch, options.moduleResolution);
  await mkdir(project);
  await writeFile(join(project, "program.ts"), `${program}${marked}\n`);
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const compilerOptions = {
    ...options,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const { stdout } = await run("node", [resolve("node_modules/typescript/bin/tsc"), "-p", project]).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(stdout).toBe("");
});
