import { expect, test } from "vitest";
import { withSection } from "./document.ts";

const SECTION = { name: "search", command: "npm run bench", heading: "## Searches" };
const MARKED = "<!-- search: written by npm run bench -->\nold\n<!-- search: end -->";

test("a report replaces the previous one, and nothing else", () => {
  const after = withSection(`before\n${MARKED}\nafter\n`, SECTION, "new");
  expect(after).toBe("before\n<!-- search: written by npm run bench -->\nnew\n<!-- search: end -->\nafter\n");
});

test("the first report is added at the end, below its heading", () => {
  expect(withSection("# Benchmarks\n", SECTION, "old")).toBe(`# Benchmarks\n\n## Searches\n\n${MARKED}\n`);
});

test("a mark without its counterpart is an error", () => {
  expect(() => withSection("<!-- search: end -->", SECTION, "new")).toThrow("found one of them alone");
});
