import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CAIRN } from "../../pipeline/testing/cairn.ts";
import { point, writeGeoJson } from "../../pipeline/testing/folders.ts";
import { type BadHost, startBadHost } from "../../pipeline/tools/doctor/testing/bad-host.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { buildNodeModule } from "../../web/site/node-module.ts";
import { installDebianPackage } from "../support/debian-package.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { blocksOf, commandsOf, pages } from "./blocks.ts";

const PAGES = await pages();
/** What starts everything, and what runs this test: their own tests are all the others. */
const ELSEWHERE = ["npm start", "npm test"];
/** Commands that run until a signal. They print an address that answers when they are ready. */
const SERVES = / serve |http\.server/;
const ADDRESS = /^(?:REST +|Serving HTTP .*\()(http:[^\s)]+)/m;

let scratch: string;
let server: RunningServer;
let site: BadHost;
let tables: StaticServer;
let sample: string;

beforeAll(async () => {
  if (spawnSync("python3", ["--version"]).status !== 0) installDebianPackage("python3");
  scratch = await mkdtemp(join(tmpdir(), "cairn-docs-"));
  await mkdir(join(scratch, "source"));
  await writeGeoJson(join(scratch, "source"), "place.geojson", [
    point("a", 7.4246, 43.7384),
    point("b", 7.425, 43.739),
  ]);
  await writeGeoJson(join(scratch, "source"), "building.geojson", [point("c", 7.4246, 43.7384)]);
  sample = await buildSample();
  server = await startServer({ dataset: sample, port: 0 });
  site = await startBadHost(join(scratch, "site"));
  tables = await startStaticServer({ folders: { "/": "docs/examples" } });
  // The examples import the package by its name, and so from `dist`; the site that a page has built goes elsewhere.
  await buildNodeModule("dist");
});
afterAll(async () => {
  await server.close();
  await site.close();
  await tables.close();
  await rm(scratch, { recursive: true, force: true });
});

/**
 * Replaces the reader's folders and addresses in the command by folders and servers of this test. The program runs from its sources, and a mirror stands for Overture.
 * The script `cairn` is run as written where it is asked for help; elsewhere what it runs, which starts sooner without npm.
 */
function here(command: string): string {
  const isOfOverture = / (?:get|build overture) /.test(command) && !command.includes(" --from ");
  return command
    .replace(/^(?:npx cairn|npm run -s cairn --) (\w+)/, `node ${CAIRN.join(" ")} $1`)
    .replace(/$/, isOfOverture ? " --from my-mirror" : "")
    .replace(/ site (my-\S+)/, ` site $1 --page ${join(scratch, "site")}`)
    .replaceAll("http://127.0.0.1:8300/", server.url)
    .replaceAll("http://127.0.0.1:8080", server.url.replace(/\/$/, ""))
    .replaceAll("https://maps.example/", site.url.href)
    .replace(/https:\/\/docs\.google\.com\/spreadsheets\/[^']*/, new URL("shops.csv", tables.url).href)
    .replaceAll("my/overture/files", join(scratch, "source"))
    .replaceAll("my-dataset", join(scratch, "dataset"))
    .replaceAll("my-shops", join(scratch, "shops"))
    .replaceAll("my-town", join(scratch, "town"))
    .replaceAll("my-osm", join(scratch, "osm"))
    .replaceAll(" town.osm.pbf", " data/tables/testing/osm/town.osm.pbf")
    .replaceAll("my-site", join(scratch, "own-site"))
    .replaceAll("my-releases", join(scratch, "releases"))
    .replaceAll("my-area", join(scratch, "area"))
    .replaceAll("my-mirror", join(scratch, "mirror"))
    .replaceAll("my-extract", join(scratch, "extract"))
    .replaceAll("my-export", join(scratch, "export"))
    .replaceAll(".cairn/dataset", sample)
    .replaceAll("--directory dist", `--directory ${scratch}`)
    .replace(/--port \d+/, "--port 0")
    .replace(/(http\.server .*) \d+$/, "$1 0")
    .replace(/(npm run -s build -- .*)/, `$1 --out ${join(scratch, "site")}`);
}

function run(command: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile("bash", ["-euo", "pipefail", "-c", command], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    );
  });
}

function serve(command: string): Promise<{ child: ChildProcess; address: string }> {
  // In a group of its own, so that what it starts ends with it; Python keeps what it prints to itself for a while.
  const child = spawn("bash", ["-c", command], { detached: true, env: { ...process.env, PYTHONUNBUFFERED: "1" } });
  let output = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const address = ADDRESS.exec(output)?.[1];
        if (address) resolve({ child, address });
      });
    }
    child.once("exit", () => reject(new Error(`${command} ended: ${output}`)));
  });
}

const withCommands = await Promise.all(
  PAGES.map(async (page) => {
    const blocks = (await blocksOf(page)).filter(({ language }) => language === "sh");
    const commands = blocks.flatMap(({ text }) => commandsOf(text).map((line) => line.replace(/ {2,}# .*$/, "")));
    return { page, commands: commands.filter((command) => !ELSEWHERE.includes(command)) };
  }),
);

describe("every command of the documentation runs", () => {
  // Quick starts make what the others use.
  const inOrder = withCommands
    .filter(({ commands }) => commands.length > 0)
    .sort((a, b) => Number(b.page.includes("quick-start-map")) - Number(a.page.includes("quick-start-map")));
  const done = new Set<string>();

  test.each(inOrder)("$page", { timeout: 600_000 }, async ({ commands }) => {
    for (const command of commands) {
      if (done.has(command)) continue;
      done.add(command);
      if (SERVES.test(command)) {
        const { child, address } = await serve(here(command));
        const ended = once(child, "exit");
        const { status } = await fetch(address);
        process.kill(-Number(child.pid), "SIGTERM");
        await ended;
        expect(status, `${command}\n${address}`).toBe(200);
        continue;
      }
      const { code, output } = await run(here(command));
      expect(code, `${command}\n${output}`).toBe(0);
    }
  });
});
