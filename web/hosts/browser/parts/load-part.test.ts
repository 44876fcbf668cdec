import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { loadPart } from "./index.ts";

const WEB = fileURLToPath(new URL("../../../", import.meta.url));
/** Programs without late parts of a page: Node, the edge, the site's own. */
const NOT_PAGES = /^(site|hosts\/(node|edge)|embed\/node)\//;
/** Modules of all hosts with an `import()`, each with the module that calls it within `loadPart` for the browser. */
const SHARED: Readonly<Record<string, { readonly within: string; readonly calls: readonly string[] }>> = {
  "search/writers.ts": { within: "hosts/browser/search/export.ts", calls: ["writerOf"] },
  "hosts/category-words/index.ts": { within: "embed/words.ts", calls: ["importCategoryWords", "importIntentWords"] },
};

test("a part that fails once is loaded by a second try", async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue("part");
  expect(await loadPart(load, 0)).toBe("part");
  expect(load).toHaveBeenCalledTimes(2);
});

test("a part that fails twice is an error with the next step, and another call loads it", async () => {
  const cause = new TypeError("Failed to fetch dynamically imported module");
  const load = vi.fn().mockRejectedValueOnce(cause).mockRejectedValueOnce(cause).mockResolvedValue("part");
  await expect(loadPart(load, 0)).rejects.toMatchObject({
    name: "PartError",
    message: "a part of the program could not be loaded: check the connection, then try again",
    isUnanswered: true,
    cause,
  });
  expect(await loadPart(load, 0)).toBe("part");
});

/** Each `import()` and `import.meta.glob` in the text of a file that `loadPart` does not call. */
function waysAround(text: string): string[] {
  // only comments at the start of a line: a file pattern such as "**/*" contains the signs of a comment
  const code = text.replace(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)$/gm, "");
  const imports = [...code.matchAll(/\bimport\s*\(/g)].filter(({ index }) => {
    const before = code.slice(0, index);
    return !/loadPart\(\s*\(\)\s*=>\s*$/.test(before) && !/typeof\s+$/.test(before);
  });
  const globs = [...code.matchAll(/const (\w+) = import\.meta\.glob/g)].filter(([, name]) => {
    const [, loader] = new RegExp(`const (\\w+) = ${name}\\[`).exec(code) ?? [];
    return !loader || !code.includes(`loadPart(${loader})`) || code.split(`${name}[`).length !== 2;
  });
  return [...imports, ...globs].map(({ index }) => code.slice(index, index + 60));
}

test("no import() of page, workers and element goes around it", async () => {
  const around: Record<string, string[]> = {};
  for (const file of await readdir(WEB, { recursive: true })) {
    const isProgram = /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|(^|\/)testing\//.test(file);
    if (!isProgram || NOT_PAGES.test(file)) continue;
    const ways = waysAround(await readFile(join(WEB, file), "utf8"));
    if (ways.length > 0) around[file] = ways;
  }
  expect(Object.keys(around).sort()).toEqual(Object.keys(SHARED).sort());
});

test("modules of all hosts are called within it by the browser's modules", async () => {
  for (const shared of Object.values(SHARED)) {
    const text = await readFile(join(WEB, shared.within), "utf8");
    for (const call of shared.calls) {
      expect(text.split(`${call}(`).length - 1, `${shared.within} ${call}`).toBe(1);
      expect(text).toContain(`loadPart(() => ${call}(`);
    }
  }
});

test("the check sees what goes around", () => {
  expect(waysAround('const a = await import("./a.ts");')).toHaveLength(1);
  expect(waysAround('loadPart(() => import("./a.ts")); type B = typeof import("./b.ts");')).toEqual([]);
  expect(waysAround('const ALL = import.meta.glob("./*.ts"); ALL["a"]?.();')).toHaveLength(1);
  expect(waysAround('const ALL = import.meta.glob("./*.ts"); const one = ALL["a"]; loadPart(one);')).toEqual([]);
});
