// `npm test`: lint, types, dead code, then every test; ends with what broken steps said last, and one line of counts.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { ensureOtherBrowsers, findOtherBrowsers } from "./other-browsers.mjs";
import { installPackages } from "./setup.mjs";

installPackages("all");
await ensureChromium();
if (process.env.CAIRN_ALL_BROWSERS) ensureOtherBrowsers();

const VITEST = ".cairn/vitest.json";
const PLAYWRIGHT = ".cairn/playwright.json";
mkdirSync(".cairn", { recursive: true });
for (const file of [VITEST, PLAYWRIGHT]) rmSync(file, { force: true });

/** Of a broken step, said again at the end: logs are read from there. */
const LAST_LINES = 60;

// Any FORCE_COLOR, "0" too, has some programs write colours.
const { FORCE_COLOR: _, ...PLAIN } = { ...process.env, NO_COLOR: "1" };

/** Resolves when all that was started before has said what it had to say. */
let said = Promise.resolve();

/** Starts a step at once. What it says stands by itself: it is kept until the steps before it have ended. */
function run(name, args, env = {}) {
  const child = spawn("npx", ["--no-install", ...args], { env: { ...PLAIN, ...env } });
  let kept = `\n== ${name}\n`;
  let last = "";
  let say = (text) => {
    kept += text;
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      say(text);
      last = (last + text).split("\n").slice(-LAST_LINES).join("\n");
    });
  }
  const ended = new Promise((resolve) => child.on("close", resolve).on("error", resolve));
  said = said.then(() => {
    process.stdout.write(kept);
    say = (text) => process.stdout.write(text);
    return ended;
  });
  return ended.then((code) => ({ name, isOk: code === 0, said: last }));
}

async function inTurn(...starts) {
  const steps = [];
  for (const start of starts) steps.push(await start());
  return steps;
}

const [prepared, ...checked] = await Promise.all([
  run("sample dataset, page and command line", ["tsx", "e2e/support/prepare.ts"]),
  inTurn(
    () => run("lint", ["biome", "check", "."]),
    () => run("types", ["tsc", "-b"]),
    () => run("types of tests", ["tsc", "-p", "tsconfig.test.json"]),
    () => run("dead code", ["knip"]),
  ),
]);
await said;
// Each of them waits now and then, for programs, for the disk, for frames: the other uses the time.
const tested = await Promise.all([
  run("vitest", ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${VITEST}`], {
    CAIRN_TEST_DATASET: resolve(".cairn/dataset"),
    CAIRN_TEST_CLI: resolve(".cairn/testing/main.mjs"),
  }),
  run(
    "playwright",
    ["playwright", "test", "--project=wide", "--project=phone", "--project=site", "--reporter=list,json"],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT,
    },
  ),
]);
await said;
const steps = [...checked.flat(), prepared, ...tested];

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
// What counts no tests of its own counts as one.
for (const { name, isOk } of steps) {
  if (name === "vitest" || name === "playwright") continue;
  if (isOk) passed++;
  else failed++;
}
if (broken.length > 0 && failed === 0) failed = broken.length;
for (const { name, said } of broken) console.log(`\n== ${name} failed, and said last:\n${said}`);
if (broken.length > 0) console.log(`\nfailed: ${broken.map(({ name }) => name).join(", ")}`);
const { leftOut } = findOtherBrowsers();
if (leftOut.length > 0) {
  console.log(`\nleft out: the walk in ${leftOut.join(" and ")}, not on this machine (docs/contributing.md)`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(broken.length === 0 ? 0 : 1);
