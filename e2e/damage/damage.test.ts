import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { keptManifestPath, MANIFEST_PATH } from "../../data/format/paths.ts";
import { readManifest } from "../../pipeline/builder/index/index.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { writeSmallDataset } from "../../pipeline/testing/small-dataset/index.ts";
import { createApi, createRoutes } from "../../web/api/index.ts";
import { createCairn } from "../../web/embed/cairn.ts";
import { openDataset } from "../../web/engine/index.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { answerMcp } from "../../web/mcp/index.ts";
import { DAMAGES, type DamagedFolder, damagedFolder } from "./damaged-folder.ts";
import {
  type Answer,
  answerOf,
  askCairn,
  HOSTS,
  type Host,
  type Question,
  requestOf,
  toolAnswer,
  toolRequest,
} from "./hosts.ts";
import { addOwnTable } from "./own-table.ts";
import { CALLS, METHODS, REQUESTS } from "./questions.ts";
import { townRows } from "./town.ts";

// Not built here. The module would retry it for seconds; engines read other files in place of Parquet.
vi.mock(import("../../web/embed/engine-files.ts"), () => ({
  loadEngineFile: () => Promise.reject(new Error("the Parquet reader is not built")),
}));

const newFolder = temporaryFolders();
let folder: DamagedFolder;

beforeAll(async () => {
  const path = await newFolder();
  await writeSmallDataset(path, { rows: townRows() });
  await addOwnTable(path, await newFolder());
  await keepOlder(path);
  folder = damagedFolder(path);
  const really = globalThis.fetch;
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    // A table of the page, on another host, stays intact.
    const [, table] = /\/assets\/((?:words|intents)-\w+)-test\.json$/.exec(url) ?? [];
    if (table) return readFile(`web/hosts/category-words/${table}.json`).then((text) => new Response(text));
    return (url.startsWith(folder.url) ? folder.fetch : really)(input, init);
  });
  // Hosts log each damage. A spy would keep thousands of errors, and what they refer to.
  vi.stubGlobal("console", { ...console, error: () => {} });
});
afterAll(() => vi.unstubAllGlobals());

/** Adds an older release with the same rows to the dataset. */
async function keepOlder(path: string): Promise<void> {
  const manifest = await readManifest(path);
  const older = await writeManifestFile({ ...manifest, release: "older" });
  const sha256 = createHash("sha256").update(older).digest("hex");
  const kept = [{ release: "older", sha256, bytes: older.byteLength }];
  await mkdir(join(path, "kept"));
  await writeFile(join(path, keptManifestPath({ sha256 })), older);
  await writeFile(join(path, MANIFEST_PATH), await writeManifestFile({ ...manifest, kept }));
}

/** Opens the dataset for the page, whose search box may show an incomplete list with a notice. */
const PAGE = "web/hosts/browser/workers/page-worker.ts";
/** Opens the dataset like the browser module, for one kind of search. */
const MAP = "web/hosts/browser/workers/map-worker.ts";
/** Commands that open the dataset like the Node host, for one kind of question. */
const COMMANDS = [
  "pipeline/cli/serving.ts",
  ...["export-file", "geocoder", "mcp", "pack-file", "query", "tiles"].map(
    (name) => `pipeline/cli/commands/${name}.ts`,
  ),
];
/** The function with which each host opens a dataset. */
const OPENERS =
  /^import[^;]*\b(openDataset|openNodeDataset|openBrowserDataset|compose)\b[^;]* from "[^"]*\/(engine\/index|open|open-dataset|compose)\.ts"|\bimport\("[^"]*\/(engine\/index|hosts\/node\/open)\.ts"\)/m;
const OPENING = [
  "web/hosts/node/open.ts",
  "web/hosts/browser/workers/compose.ts",
  "web/hosts/browser/workers/open-dataset.ts",
];

test("every host of the program is tested", async () => {
  const found: string[] = [];
  for (const folder of ["web", "pipeline"]) {
    const names = await readdir(folder, { recursive: true });
    const sources = names.filter((name) => /\.tsx?$/.test(name) && !/\.(test|contract)\.|(^|\/)testing\//.test(name));
    for (const name of sources) {
      if (OPENERS.test(await readFile(join(folder, name), "utf8"))) found.push(`${folder}/${name}`);
    }
  }
  const roots = found.filter((file) => !OPENING.includes(file));
  expect(roots.sort()).toEqual([...HOSTS.map(({ root }) => root), ...COMMANDS, PAGE, MAP].sort());
});

test("every route, every tool and every method is tested", async () => {
  const dataset = openNodeDataset(folder.folder);
  // Routes that refuse a method match all methods.
  const routes = createRoutes(dataset).api.routes.filter(({ method }) => method !== "ALL");
  const answering = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  expect(Object.keys(REQUESTS).sort()).toEqual([...answering].sort());
  const listed = await answerMcp(toolRequest("http://maps.example/", { method: "tools/list" }), { dataset });
  const { result } = (await listed.json()) as { readonly result: { readonly tools: readonly { name: string }[] } };
  expect(Object.keys(CALLS).sort()).toEqual(result.tools.map(({ name }) => name).sort());
  const cairn = createCairn({ location: "here", dataset });
  const methods = Object.entries(cairn).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  expect([...Object.keys(METHODS), "fetch"].sort()).toEqual(methods.sort());
});

function questionsFor({ kinds }: Host): Question[] {
  const requests = Object.values(REQUESTS)
    .flat()
    .map((asked): Question => {
      const request = typeof asked === "string" ? { path: asked, body: undefined } : asked;
      return { kind: "request", ...request };
    });
  const tools = Object.entries(CALLS).flatMap(([name, calls]) =>
    calls.map((call): Question => ({ kind: "tool", name, arguments: call })),
  );
  const methods = Object.entries(METHODS).map(([name, call]): Question => ({ kind: "method", name, call }));
  return [...requests, ...tools, ...methods].filter(({ kind }) => kinds.includes(kind));
}

const nameOf = (question: Question): string => (question.kind === "request" ? question.path : question.name);

/** The files that a host reads for the answer. */
async function filesRead(host: Host, question: Question): Promise<readonly string[]> {
  if (host.reads === "http") {
    folder.forget();
    await host.ask(question, folder);
    return [...folder.asked];
  }
  const read = new Set<string>();
  const source = folderSource(folder.folder);
  const recording: typeof source = {
    ...source,
    read(path, options) {
      read.add(path);
      return source.read(path, options);
    },
  };
  const dataset = openDataset({ source: recording, decode: decodeParquet });
  const base = "http://maps.example/";
  if (question.kind === "tool") await toolAnswer(await answerMcp(requestOf(question, base), { dataset }));
  else if (question.kind === "request") await answerOf(await createApi({ dataset })(requestOf(question, base)));
  else await askCairn(question, async () => createCairn({ location: base, dataset }));
  return [...read];
}

/** True if the answers are equal, except time stamps and the host's port. */
function isSame(a: Answer, b: Answer): boolean {
  return a.status === b.status && withoutMoment(a) === withoutMoment(b);
}

function withoutMoment({ text }: Answer): string {
  return text.replace(/"timeStamp":"[^"]*"/, "").replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1");
}

test.each(HOSTS)("$root answers as with intact files, or with an error that names the damaged one", async (host) => {
  const wrong: string[] = [];
  let [same, refused] = [0, 0];
  // In turn, with another start for each host.
  let turn = HOSTS.indexOf(host);
  for (const question of questionsFor(host)) {
    const right = await host.ask(question, folder);
    expect(right.status, `${nameOf(question)}: ${right.text.slice(0, 200)}`).toBeLessThan(400);
    for (const path of await filesRead(host, question)) {
      const damage = DAMAGES[turn++ % DAMAGES.length] ?? DAMAGES[0];
      await folder.damage(path, damage);
      const answer = await host.ask(question, folder);
      await folder.heal();
      if (isSame(answer, right)) {
        same++;
        continue;
      }
      refused++;
      const isNamed = answer.status === 503 && answer.text.includes(path);
      const mayBeKept = answer.tag !== null || answer.cacheControl !== "no-store";
      if (isNamed && !mayBeKept) continue;
      wrong.push(`${nameOf(question)}, ${path} ${damage}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
  expect(wrong).toEqual([]);
  // Other files can replace some.
  expect(Math.min(same, refused)).toBeGreaterThan(20);
});

/** The answer to a search while the dataset has another manifest. */
async function askWith(host: Host, manifest: Uint8Array): Promise<Answer | undefined> {
  const path = join(folder.folder, MANIFEST_PATH);
  const whole = await readFile(path);
  folder.forget();
  await writeFile(path, manifest);
  const question = questionsFor(host).find((each) => nameOf(each).startsWith("/places?"));
  const answer = question && (await host.ask(question, folder));
  await writeFile(path, whole);
  folder.forget();
  return answer;
}

test.each(HOSTS)("$root refuses an index without one of its nodes", async (host) => {
  const manifest = await readManifest(folder.folder);
  manifest.collections.place?.runs.location.nodes.pop();
  const answer = await askWith(host, await writeManifestFile(manifest));
  expect(answer).toMatchObject({ status: 503, tag: null, cacheControl: "no-store" });
  expect(answer?.text).toMatch(
    /manifest\.json of .* its sums are wrong: .*place has 32 rows, its nodes of location have/,
  );
});

test.each(HOSTS)("$root refuses an index with another box", async (host) => {
  const text = await readFile(join(folder.folder, MANIFEST_PATH), "utf8");
  const changed = text.replaceAll(/"bbox":\[[^\]]*\],"country"/g, '"bbox":[0,0,0,0],"country"');
  const answer = await askWith(host, Buffer.from(changed));
  expect(answer).toMatchObject({ status: 503, tag: null, cacheControl: "no-store" });
  expect(answer?.text).toMatch(/manifest\.json of .* its content has SHA-256 \w{64}, expected \w{64}/);
});
