// `npm test`: style, types, dead code, then the tests that every change needs. `npm run test:all`: the deep tests, which `npm test`
// leaves out. `npm test -- <path or name>`: the test files whose path contains the words. `--shard 1/4` runs a part of the tests.
// Each ends with one line of counts.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureChromium } from "./chromium.mjs";
import { ensureOtherBrowsers, findOtherBrowsers } from "./other-browsers.mjs";
import { installPackages } from "./setup.mjs";
import { DEEP, isDeep, isSpec, testFiles, unknownDeep } from "./tests.mjs";

/** Lines of a failed step that are printed again at the end. */
const LAST_LINES = 60;
/** Reporters of both runners write colours when FORCE_COLOR has any value, "0" included. */
const { FORCE_COLOR: _, ...PLAIN } = { ...process.env, NO_COLOR: "1" };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, shard: { type: "string" } },
});
if (values.shard !== undefined && !/^[1-9]\d*\/[1-9]\d*$/.test(values.shard)) {
  console.error(`cairn: --shard is ${values.shard}, expected a part and the number of parts, such as 1/4`);
  process.exit(2);
}
/** For both runners. */
const shard = values.shard === undefined ? [] : [`--shard=${values.shard}`];
const named = words.length > 0 ? testFiles().filter((file) => words.some((word) => file.includes(word))) : undefined;
if (named?.length === 0) {
  console.error(`cairn: no test file's path contains ${words.join(" or ")}`);
  process.exit(2);
}
/** Reports of the runners. `.ci/slowest.mjs` reads them too. */
const VITEST = `.cairn/vitest-${named ? "named" : values.all ? "all" : "test"}.json`;
const PLAYWRIGHT = VITEST.replace("vitest", "playwright");
const unknown = unknownDeep();
if (unknown.length > 0) throw new Error(`.ci/tests.mjs lists ${unknown.join(", ")}, which no test file matches`);
const hasDeep = named ? named.some(isDeep) : values.all;
const hasTests = named?.some((file) => !isSpec(file)) ?? true;
const hasSpecs = named?.some(isSpec) ?? true;

installPackages(hasDeep ? "all" : "test");
if (hasSpecs) console.error(`cairn: browser for the tests: ${await ensureChromium()}`);
if (values.all && process.env.CI) ensureOtherBrowsers();
mkdirSync(".cairn", { recursive: true });
for (const file of [VITEST, PLAYWRIGHT]) rmSync(file, { force: true });

/** Resolves when all steps that started earlier have printed their output. */
let printed = Promise.resolve();

/** Starts a step at once. Its output is printed in one piece, after that of the steps before it. */
function run(name, args, env = {}) {
  const started = performance.now();
  const child = spawn("npx", ["--no-install", ...args], { env: { ...PLAIN, ...env } });
  let pending = `\n== ${name}\n`;
  let last = "";
  let print = (text) => {
    pending += text;
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      print(text);
      last = (last + text).split("\n").slice(-LAST_LINES).join("\n");
    });
  }
  const ended = new Promise((resolve) => child.on("close", resolve).on("error", resolve)).then((code) => {
    print(`== ${name}: ${Math.round((performance.now() - started) / 1000)} s\n`);
    return code;
  });
  printed = printed.then(() => {
    process.stdout.write(pending);
    print = (text) => process.stdout.write(text);
    return ended;
  });
  return ended.then((code) => ({ name, isOk: code === 0, last }));
}

async function inTurn(...starts) {
  const steps = [];
  for (const start of starts) steps.push(await start());
  return steps;
}

/** Commands and tasks of builds start from it. */
const CAIRN_TEST_CLI = resolve(".cairn/testing/main.mjs");
const vitest = () =>
  run(
    "vitest",
    [
      "vitest",
      "run",
      ...(named ? named.filter((file) => !isSpec(file)) : [`--project=${values.all ? "" : "!"}deep-*`]),
      ...shard,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${VITEST}`,
    ],
    { CAIRN_TEST_DATASET: resolve(".cairn/dataset"), CAIRN_TEST_CLI },
  );
const FAST = ["page", "site"];
const DEEPER = ["deep-page", "deep-site"];
const projects = named ? [...FAST, ...DEEPER] : values.all ? [...DEEPER, "phone"] : FAST;
const playwright = () =>
  run(
    "playwright",
    [
      "playwright",
      "test",
      ...(named?.filter(isSpec) ?? []),
      ...projects.map((name) => `--project=${name}`),
      ...shard,
      "--reporter=list,json",
    ],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT, CAIRN_TEST_CLI },
  );

/** The deep tests and the docs site import packages that `npm test` does not install. */
const FAST_TYPES = ".cairn/fast-tests.tsconfig.json";
const types = {
  extends: "../tsconfig.test.json",
  exclude: ["**/node_modules", "dist", ".cairn", "e2e/bench", "docs/.vitepress", ...DEEP].map((path) => `../${path}`),
};
writeFileSync(FAST_TYPES, JSON.stringify(types));
const checks = values.all
  ? [() => run("types of deep tests", ["tsc", "-p", "tsconfig.test.json"])]
  : [
      () => run("style", ["biome", "check", "."]),
      () => run("types", ["tsc", "-b"]),
      () => run("types of tests", ["tsc", "-p", FAST_TYPES]),
      () => run("dead code", ["knip"]),
      () => run("dependencies", ["knip", "--production", "--strict", "--include", "dependencies,unlisted"]),
    ];
const [prepared, checked] = await Promise.all([
  run("sample dataset, page and command line", ["tsx", "e2e/support/prepare.ts"]),
  named ? [] : inTurn(...checks),
]);
await printed;
// Both runners wait often: for programs, the disk and frames. The other one uses the time.
const tested = await Promise.all([...(hasTests ? [vitest()] : []), ...(hasSpecs ? [playwright()] : [])]);
await printed;
const steps = [...checked, prepared, ...tested];

let passed = 0;
let failed = 0;
const count = (file, read) => {
  if (!existsSync(file)) return;
  const [ok, bad] = read(JSON.parse(readFileSync(file, "utf8")));
  passed += ok;
  failed += bad;
};
count(VITEST, (report) => [
  report.numPassedTests,
  report.numFailedTests + report.numFailedTestSuites * (report.numFailedTests === 0),
]);
count(PLAYWRIGHT, ({ stats, errors }) => [stats.expected + stats.flaky, stats.unexpected + errors.length]);

const broken = steps.filter(({ isOk }) => !isOk);
// A step that counts no tests counts as one test.
for (const { name, isOk } of steps) {
  if (name === "vitest" || name === "playwright") continue;
  if (isOk) passed++;
  else failed++;
}
if (broken.length > 0 && failed === 0) failed = broken.length;
for (const { name, last } of broken) console.log(`\n== ${name} failed. Its last lines:\n${last}`);
if (broken.length > 0) console.log(`\nfailed: ${broken.map(({ name }) => name).join(", ")}`);
if (!values.all && !named) console.log("\nleft out: the deep tests (npm run test:all)");
const { leftOut } = findOtherBrowsers();
if (values.all && leftOut.length > 0) {
  console.log(`\nleft out: ${leftOut.join(" and ")}, which are not installed (docs/contributing.md)`);
}
if (process.env.CAIRN_COUNTS) writeFileSync(process.env.CAIRN_COUNTS, `${passed} ${failed}\n`, { flag: "a" });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(broken.length === 0 ? 0 : 1);
