import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { releasedChangelog } from "../../.ci/release.mjs";

const CHANGELOG = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0, 2026-01-01\n\n- Old.\n";

test("a release heads the changelog with its version, and is refused when there is nothing in it", () => {
  expect(releasedChangelog(CHANGELOG, "0.2.0", "2026-11-21")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-11-21\n\n- New.\n\n## 0.1.0, 2026-01-01\n\n- Old.\n",
  );
  expect(() => releasedChangelog(CHANGELOG.replace("- New.\n\n", ""), "0.2.0", "2026-11-21")).toThrow(
    "nothing unreleased",
  );
});

test("the script commits and tags a version of main once, and leaves all as it was when it refuses", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-release-"));
  const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
  const options = { cwd: folder, encoding: "utf8", env: { ...process.env, ...who } } as const;
  const git = (...args: string[]) => execFileSync("git", args, options).trim();
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(".ci/release.mjs"), ...args], options);
    return { status, text: stdout + stderr };
  };
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const refuses = (step: string, reason: string) => {
    const before = [git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")];
    expect(release(step)).toMatchObject({ status: 1, text: expect.stringContaining(reason) });
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual(before);
  };
  try {
    await write("CHANGELOG.md", CHANGELOG);
    await write("package.json", '{"name":"x","version":"0.1.0","license":"MIT"}');
    await write("package-lock.json", '{"version":"0.1.0","lockfileVersion":3,"packages":{"":{"version":"0.1.0"}}}');
    git("init", "--quiet", "--initial-branch", "main");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");

    expect(release("minor")).toMatchObject({ status: 0, text: expect.stringContaining("v0.2.0 is committed") });
    expect([git("log", "-1", "--format=%s"), git("tag", "--points-at", "HEAD")]).toEqual(["release: 0.2.0", "v0.2.0"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(await read("CHANGELOG.md")).toMatch(/## Unreleased\n\n## 0\.2\.0, \d{4}-\d\d-\d\d\n\n- New\./);
    expect(JSON.parse(await read("package.json"))).toMatchObject({ name: "x", version: "0.2.0" });
    expect(await read("docs/badges/version.svg")).toContain("0.2.0");
    expect(JSON.parse(await read("package-lock.json"))).toMatchObject({
      version: "0.2.0",
      packages: { "": { version: "0.2.0" } },
    });

    refuses("0.3", "major|minor|patch");
    refuses("0.2.0", "Version not changed");
    refuses("minor", "nothing unreleased");
    await write("CHANGELOG.md", CHANGELOG);
    refuses("major", "has changes");
    git("commit", "--quiet", "--all", "-m", "second");
    git("tag", "v0.2.1");
    refuses("patch", "v0.2.1 is there already");
    git("switch", "--quiet", "--create", "other");
    refuses("major", "is made of main, got other");
    git("switch", "--quiet", "main");
    expect(release("major").text).toContain("v1.0.0 is committed");
    expect(git("tag")).toBe("v0.2.0\nv0.2.1\nv1.0.0");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
