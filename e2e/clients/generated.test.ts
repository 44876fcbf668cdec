/**
 * Clients from three generators for the OpenAPI document: their types compile, and every operation works.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { generate } from "orval";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { keepReleaseWithoutPlaces } from "../support/releases.ts";
import { type CallAll, EXPORT, GEOCODE, type Ids, KEPT, QUERY, RECORD_PATHS, TILE, tileOf } from "./use/call-all.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: { readonly operationId: string } }>>;
}

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, ".cairn/clients");
const CLIENTS = ["openapi-fetch", "hey-api", "orval"] as const;

let server: RunningServer;
let baseUrl: string;
let document: OpenApi;

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const dataset = join(FOLDER, "dataset");
  await keepReleaseWithoutPlaces(await buildSample(), { release: "before", folder: dataset });
  server = await startServer({ dataset, port: 0 });
  baseUrl = server.url.replace(/\/$/, "");
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
  document = JSON.parse(text) as OpenApi;
  const input = join(FOLDER, "openapi.json");
  await writeFile(input, text);
  await writeFile(join(FOLDER, "openapi-typescript.ts"), astToString(await openapiTypescript(text)));
  await createClient({
    input,
    output: join(FOLDER, "hey-api"),
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await generate({ input, output: { target: join(FOLDER, "orval.ts"), client: "fetch", mode: "single", baseUrl } });
});
afterAll(() => server.close());

test("programs that use the generated types pass TypeScript's strict checks", async () => {
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const args = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(import.meta.dirname, "use")];
    execFile(process.execPath, args, (error, stdout) => resolve({ code: error ? 1 : 0, output: stdout }));
  });
  expect(output).toBe("");
  expect(code).toBe(0);
});

const jsonOf = async (address: string): Promise<unknown> => (await fetch(baseUrl + address)).json();

/** The interface's answers by operation, and the first id of each list by path. */
async function answersOf({ paths }: OpenApi): Promise<{ expected: Map<string, unknown>; ids: Map<string, string> }> {
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, id: get.operationId }));
  const textOf = (asked: object) =>
    new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)])).toString();
  const query = textOf(QUERY);
  const expected = new Map<string, unknown>();
  const ids = new Map<string, string>();
  const geocode = new Map<string, object>(Object.entries(GEOCODE));
  for (const { path, id } of operations) {
    const asked = geocode.get(id);
    if (asked) expected.set(id, await jsonOf(`${path}?${textOf(asked)}`));
  }
  const tile = await fetch(`${baseUrl}/tiles/${Object.values(TILE).join("/")}.mvt`);
  expected.set("getTile", await tileOf(await tile.blob()));
  const isList = ({ path, id }: (typeof operations)[number]) =>
    !path.endsWith("{id}") && !geocode.has(id) && !path.startsWith("/export/") && id !== "getTile";
  for (const { path, id } of operations.filter(({ path }) => path.startsWith("/export/")))
    expected.set(id, await jsonOf(`${path}?${textOf(EXPORT)}`));
  for (const { path, id } of operations.filter(isList)) {
    const list = (await jsonOf(`${path}?${query}`)) as { readonly id: string }[];
    expect(list.length, path).toBeGreaterThan(0);
    expected.set(id, list);
    ids.set(id.replace("search", ""), list[0]?.id ?? "");
  }
  for (const { path, id } of operations.filter(({ path }) => path.endsWith("{id}"))) {
    const record = encodeURIComponent(ids.get(id.replace("get", "")) ?? "");
    expected.set(id, await jsonOf(`${path.replace("{id}", record)}?includes=${KEPT.includes}`));
  }
  return { expected, ids };
}

test("each client calls every operation and returns the interface's answers", async () => {
  const { expected, ids } = await answersOf(document);
  expect([...expected.keys()].sort()).toEqual(
    Object.values(document.paths)
      .map(({ get }) => get.operationId)
      .sort(),
  );
  expect((expected.get("changes") as readonly unknown[]).length).toBe(GEOCODE.changes.limit);
  const idOf = Object.fromEntries(RECORD_PATHS.map((path) => [path, ids.get(path) ?? ""])) as Ids;
  for (const name of CLIENTS) {
    const { callAll } = (await import(`./use/${name}.ts`)) as { readonly callAll: CallAll };
    const { lines, atSea, ...answers } = await callAll(baseUrl, idOf);
    expect(atSea).toEqual([undefined, undefined, undefined]);
    expect(new Map(Object.entries(answers)), name).toEqual(expected);
    expect(lines).toHaveLength(QUERY.limit);
    for (const line of lines) expect(line).toMatch(/^true,[^,].*,MC,.+\//);
  }
});
