// `node .ci/slowest.mjs`: writes the slowest test files of the last `npm test` and `npm run test:all` into docs/contributing.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

const PAGE = "docs/contributing.md";
const START = "<!-- slowest: written by node .ci/slowest.mjs -->\n";
const END = "<!-- slowest: end -->\n";
const SHOWN = 20;

/** Seconds of each test file, as both runners reported them. */
function readSeconds(reports) {
  const seconds = new Map();
  const add = (file, milliseconds) => seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000);
  for (const report of reports) {
    if (!existsSync(report)) continue;
    const { testResults, suites, config } = JSON.parse(readFileSync(report, "utf8"));
    for (const { name, startTime, endTime } of testResults ?? [])
      add(relative(process.cwd(), name), endTime - startTime);
    const visit = ({ suites = [], specs = [] }) => {
      for (const { file, tests } of specs)
        for (const { results } of tests)
          for (const { duration } of results) add(relative(process.cwd(), `${config.rootDir}/${file}`), duration);
      for (const suite of suites) visit(suite);
    };
    visit({ suites });
  }
  return seconds;
}

const reports = ["test", "all"].flatMap((run) => [`.cairn/vitest-${run}.json`, `.cairn/playwright-${run}.json`]);
const seconds = readSeconds(reports);
if (seconds.size === 0) throw new Error(`no report of a test run in .cairn: run npm test first`);
const rows = [...seconds]
  .sort(([, a], [, b]) => b - a)
  .slice(0, SHOWN)
  .map(([file, time]) => `| \`${file}\` | ${Math.round(time)} |\n`);
const [before, rest = ""] = readFileSync(PAGE, "utf8").split(START);
const after = rest.split(END)[1];
if (after === undefined) throw new Error(`${PAGE} lacks the lines ${START.trim()} and ${END.trim()}`);
writeFileSync(PAGE, `${before}${START}| test file | s |\n|---|---:|\n${rows.join("")}${END}${after}`);
