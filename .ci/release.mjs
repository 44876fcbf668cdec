// `npm run release -- minor`: version in package.json, lock and badge, head of the changelog, one commit, one tag. Nothing is pushed.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { writeBadges } from "./badges.mjs";

const USAGE = "npm run release -- major|minor|patch|<version>";
const FILES = ["CHANGELOG.md", "package.json", "package-lock.json"];
const BRANCH = "main";

/** The changelog with what is unreleased under the version's own head. Throws when there is nothing to release. */
export function releasedChangelog(text, version, date) {
  const head = "## Unreleased\n";
  const start = text.indexOf(head);
  if (start < 0) throw new Error("CHANGELOG.md has no head Unreleased");
  const next = text.indexOf("\n## ", start + head.length);
  const entries = text.slice(start + head.length, next < 0 ? undefined : next).trim();
  if (entries === "") throw new Error("CHANGELOG.md names nothing unreleased");
  return text.replace(head, `${head}\n## ${version}, ${date}\n`);
}

function run(program, ...args) {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Commits and tags the version, and returns it. The working tree is as it was when anything fails. */
function release(step) {
  const branch = run("git", "branch", "--show-current");
  if (branch !== BRANCH) throw new Error(`a release is made of ${BRANCH}, got ${branch || "no branch"}`);
  if (run("git", "status", "--porcelain") !== "") throw new Error("the working tree has changes: commit them first");
  const head = run("git", "rev-parse", "HEAD");
  try {
    const version = run("npm", "version", step, "--no-git-tag-version", "--ignore-scripts").replace(/^v/, "");
    if (run("git", "tag", "--list", `v${version}`) !== "") throw new Error(`v${version} is there already`);
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync("CHANGELOG.md", releasedChangelog(readFileSync("CHANGELOG.md", "utf8"), version, date));
    const badges = writeBadges();
    run("git", "add", ...badges);
    run("git", "commit", "-m", `release: ${version}`, "--", ...FILES, ...badges);
    run("git", "tag", "-a", `v${version}`, "-m", `Cairn ${version}`);
    return version;
  } catch (error) {
    run("git", "reset", "--quiet", "--hard", head);
    throw error;
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const steps = process.argv.slice(2);
  try {
    if (steps.length !== 1 || !/^(major|minor|patch|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(steps[0]))
      throw new Error(`one step or version is expected, got ${steps.join(" ") || "none"}\n\n${USAGE}`);
    const version = release(steps[0]);
    console.log(`v${version} is committed and tagged; git push --follow-tags origin ${BRANCH} publishes it`);
  } catch (error) {
    console.error(`cairn: ${error.stderr || error.message}`);
    process.exitCode = 1;
  }
}
