import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const ours = Object.entries(scripts).filter(
  ([name, command]) => (command.includes("e2e/") || /^package(:reader)?$/.test(name)) && command.endsWith(".ts"),
);

test("tests the scripts of the folder e2e, and those that make packages", () => {
  expect(ours.map(([name]) => name)).toEqual(expect.arrayContaining(["synth", "docs", "screens", "package"]));
});

test.each([
  ...ours.map(([name]) => [`npm run ${name}`, ["npm", "run", "-s", name, "--"]] as const),
  ["npm run release", ["npm", "run", "-s", "release", "--"]] as const,
])(
  "%s: an unknown option prints the usage without a stack trace",
  { timeout: 120_000 },
  (name, [command = "", ...args]) => {
    const { status, stdout, stderr } = spawnSync(command, [...args, "--no-such-option"], { encoding: "utf8" });
    expect(status, stderr).toBeGreaterThan(0);
    expect(stderr).toContain("no-such-option");
    expect(stderr).toMatch(new RegExp(`^(Usage: )?${name.replace("npm run conformance", "conformance")}`, "m"));
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stdout).toBe("");
  },
);
