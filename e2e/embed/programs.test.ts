import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { buildEdgeModule } from "../../web/site/library.ts";
import { pythonWith } from "../support/python.ts";
import { startStaticServer } from "../support/static-server.ts";

const EXAMPLES = "docs/examples";
/** What a test of another file runs. */
const ELSEWHERE = ["bundler", "html", "leaflet", "maplibre", "node", "react", "reader", "svelte"];

async function placesOf(folder: string): Promise<Readonly<Record<string, number>>> {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  return collections.place?.countries ?? {};
}

test("every folder of examples has a test", async () => {
  const folders = (await readdir(EXAMPLES, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(["cloudflare-worker", "python", ...ELSEWHERE].sort());
});

test("a Cloudflare Worker answers REST requests from a dataset on another host", async () => {
  const dataset = await buildSample();
  const host = await startStaticServer({ folders: { "/dataset/": dataset } });
  const out = await mkdtemp(join(tmpdir(), "cairn-worker-"));
  await buildEdgeModule(out);
  const bundled = await build({
    entryPoints: [`${EXAMPLES}/cloudflare-worker/worker.js`],
    alias: { "cairn-map/edge": join(out, "edge/cairn.js") },
    bundle: true,
    format: "esm",
    write: false,
  });
  const settings = await readFile(`${EXAMPLES}/cloudflare-worker/wrangler.toml`, "utf8");
  const [, variable = "", address = ""] = /\[vars\]\n(\w+) = "(.*)"/.exec(settings) ?? [];
  const [, compatibilityDate = ""] = /compatibility_date = "(.*)"/.exec(settings) ?? [];
  const worker = new Miniflare({
    modules: true,
    script: bundled.outputFiles[0]?.text ?? "",
    compatibilityDate,
    bindings: { [variable]: address.replace("https://maps.example/", host.url) },
  });
  try {
    const answer = await worker.dispatchFetch("http://maps.example/places?country=MC&limit=1");
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("Pagination-Count"))).toBe((await placesOf(dataset)).MC);
  } finally {
    await worker.dispose();
    await host.close();
    await rm(out, { recursive: true });
  }
});

test("the Python program counts the places of each country", async ({ skip }) => {
  const python = await pythonWith(["duckdb"]);
  if (typeof python === "string") return skip(python);
  const dataset = await buildSample();
  const lines = (await python([`${EXAMPLES}/python/places.py`, dataset])).trim().split("\n");
  const counted = lines.map((line) => line.split(" ")).map(([country = "", count]) => [country, Number(count)]);
  expect(Object.fromEntries(counted)).toEqual(await placesOf(dataset));
});
