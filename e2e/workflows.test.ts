import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePacksList } from "../data/format/packs-list.ts";
import { buildSample } from "../web/engine/testing/sample.ts";

const FOLDER = ".github/workflows";

/** An action by all of its commit's hash, the version beside it for people and for what renews it. */
const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** What breaks a rule: actions are pinned by commit, and a job that may write runs actions alone, and gets no sources. */
function faultsOf(workflow: string): string[] {
  const faults = [...workflow.matchAll(/^\s*(?:- )?uses:(.*)$/gm)]
    .map(([, action = ""]) => action.trim())
    .filter((action) => !PINNED.test(action))
    .map((action) => `${action} is not pinned by its commit`);
  const [head = "", jobs = ""] = workflow.split(/^jobs:$/m);
  const mayWrite = (text: string): boolean => /^\s*(?:[\w-]+: *write|permissions: *write-all)\b/m.test(text);
  if (mayWrite(head) || !/^permissions:$/m.test(head)) faults.push("every job may write");
  for (const job of jobs.split(/^(?= {2}[\w-]+:$)/m).filter(mayWrite)) {
    const name = /^ {2}([\w-]+):$/m.exec(job)?.[1];
    if (/^\s*(?:- )?run:/m.test(job)) faults.push(`job ${name} may write, and runs commands`);
    if (/actions\/(?:checkout|setup-node)@/.test(job))
      faults.push(`job ${name} may write, and gets sources or packages`);
  }
  return faults;
}

test("workflows take actions by commit, and what has a token installs nothing", () => {
  const names = readdirSync(FOLDER);
  expect(names.length).toBeGreaterThan(2);
  const texts = names.map((name) => readFileSync(join(FOLDER, name), "utf8"));
  expect(texts.join("").match(/uses:/g)?.length).toBeGreaterThan(8);
  expect(texts.join("").match(/id-token: write/g)).toHaveLength(1);
  expect(texts.flatMap((text, index) => faultsOf(text).map((fault) => `${names[index]}: ${fault}`))).toEqual([]);
});

test("a workflow that breaks the rules is told of", () => {
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

test("the demonstration's commands are scripts that there are, and its packs are written", async () => {
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
