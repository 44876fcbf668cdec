import { expect, test } from "vitest";
import { llmsTexts } from "./llms.ts";

test("titles link to the complete text, which has no links into the repository", () => {
  const page = [
    "# Tools\n\n![a picture](tools.svg)\n\nSee [the docs](rest.md#paths) and [the web](https://example.org/).",
    "<!-- file: x -->\n```md\n[kept](as.md)\n```\n\nEnd with `[a](b)`.",
  ].join("\n\n");
  const [brief, full] = llmsTexts([
    [page, "what they do"],
    ["# Other\n\nText.", "more"],
  ]);
  expect(brief?.source).toContain("- [Tools](llms-full.txt): what they do\n- [Other](llms-full.txt): more\n");
  expect(brief?.source).toMatch(/^# Cairn\n\n> .+\n/);
  expect(full?.source).toBe(
    "# Tools\n\n\nSee the docs and [the web](https://example.org/).\n\n```md\n[kept](as.md)\n```\n\nEnd with `a`.\n\n# Other\n\nText.\n",
  );
  expect(() => llmsTexts([["no title", ""]])).toThrow("a page has no title: no title");
});
