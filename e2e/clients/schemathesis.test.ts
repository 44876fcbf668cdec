/**
 * schemathesis sends valid and invalid requests from the OpenAPI document to the Node host, and compares answers with
 * the document. Skipped without Python, except in CI, where it fails.
 * @see https://schemathesis.readthedocs.io
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { environmentWith } from "../support/python.ts";

const PACKAGE = "schemathesis==4.32.5";
const FOLDER = join(import.meta.dirname, "schemathesis");
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

let server: RunningServer;
let cwd: string;
beforeAll(async () => {
  server = await startServer({ dataset: await buildSample(), port: 0 });
  cwd = await mkdtemp(join(tmpdir(), "schemathesis-"));
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

test("all answers to schemathesis match the OpenAPI document", async ({ skip }) => {
  const environment = await environmentWith([PACKAGE]);
  if (typeof environment === "string") {
    if (process.env.CI) throw new Error(environment);
    return skip(environment);
  }
  const address = new URL("openapi.json", server.url).href;
  const args = ["--config-file", join(FOLDER, "schemathesis.toml"), "run", address, "--no-color"];
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: "1" };
  const { code, said } = await new Promise<{ code: number | string; said: string }>((resolve) => {
    const options = { cwd, env, maxBuffer: MOST_OUTPUT_BYTES };
    execFile(join(environment.programs, "schemathesis"), args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
  const { paths } = (await (await fetch(address)).json()) as { readonly paths: Readonly<Record<string, object>> };
  const operations = Object.values(paths).flatMap(Object.keys).length;
  expect(code, said).toBe(0);
  expect(said).toMatch(new RegExp(`Tested: ${operations}$`, "m"));
});
