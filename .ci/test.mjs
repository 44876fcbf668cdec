// `npm test`: lint, types, dead code, then every test; ends with one line of counts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";

const VITEST = ".cairn/vitest.json";
const PLAYWRIGHT = ".cairn/playwright.json";
mkdirSync(".cairn", { recursive: true });
for (const file of [VITEST, PLAYWRIGHT]) rmSync(file, { force: true });

function run(name, args, env = {}) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync("npx", ["--no-install", ...args], { stdio: "inherit", env: { ...process.env, ...env } });
  return status === 0;
}

const steps = [
  ["lint", run("lint", ["biome", "check", "."])],
  ["types", run("types", ["tsc", "-b"])],
  ["types of tests", run("types of tests", ["tsc", "-p", "tsconfig.test.json"])],
  ["dead code", run("dead code", ["knip"])],
  ["sample dataset", run("sample dataset", ["tsx", "e2e/support/prepare.ts"])],
  [
    "vitest",
    run("vitest", ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${VITEST}`], {
      CAIRN_TEST_DATASET: resolve(".cairn/dataset"),
    }),
  ],
  [
    "playwright",
    run("playwright", ["playwright", "test", "--project=wide", "--project=phone", "--reporter=list,json"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT,
    }),
  ],
];

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
count(PLAYWRIGHT, ({ stats, errors }) => [stats.expected, stats.unexpected + stats.flaky + errors.length]);

const broken = steps.filter(([, isOk]) => !isOk).map(([name]) => name);
// What counts no tests of its own counts as one.
for (const [name, isOk] of steps) {
  if (name === "vitest" || name === "playwright") continue;
  if (isOk) passed++;
  else failed++;
}
if (broken.length > 0) console.log(`\nfailed: ${broken.join(", ")}`);
if (broken.length > 0 && failed === 0) failed = broken.length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(broken.length === 0 ? 0 : 1);
