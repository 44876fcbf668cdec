// `node .ci/release.mjs <version>`: version in package.json and lock, head of the changelog, one commit, one tag. Nothing is pushed.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const USAGE = "node .ci/release.mjs <version>";

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

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [version = "", ...surplus] = process.argv.slice(2);
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
  try {
    if (surplus.length > 0) throw new Error(`one argument is expected, got ${surplus.join(" ")} too\n\n${USAGE}`);
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`a version is major.minor.patch, got ${version || "none"}\n\n${USAGE}`);
    if (git("tag", "--list", `v${version}`) !== "") throw new Error(`v${version} is there already`);
    if (git("status", "--porcelain") !== "") throw new Error("the working tree has changes: commit them first");
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync("CHANGELOG.md", releasedChangelog(readFileSync("CHANGELOG.md", "utf8"), version, date));
    for (const name of ["package.json", "package-lock.json"]) {
      const json = JSON.parse(readFileSync(name, "utf8"));
      json.version = version;
      if (json.packages) json.packages[""].version = version;
      writeFileSync(name, `${JSON.stringify(json, null, 2)}\n`);
    }
    git("commit", "-m", `release: ${version}`, "--", "CHANGELOG.md", "package.json", "package-lock.json");
    git("tag", "-a", `v${version}`, "-m", `Cairn ${version}`);
    console.log(`v${version} is committed and tagged; git push --follow-tags publishes it`);
  } catch (error) {
    console.error(`cairn: ${error.message}`);
    process.exitCode = 1;
  }
}
