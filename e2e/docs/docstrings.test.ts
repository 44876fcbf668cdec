/**
 * What the package `cairn-map` exports has a docstring of one to four lines: functions, classes, types, and the methods of
 * interfaces.
 * @module
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The entries of `exports` in `package.json`. `/react` and `/preact` add types to the element's. */
const ENTRIES = [
  "web/embed/index.ts",
  "web/embed/node/index.ts",
  "web/embed/map/element.ts",
  "web/hosts/edge/index.ts",
];
const MOST_LINES = 4;

const FROM = /^export (?:type )?(?:\*|\{([^}]*)\}) from "([^"]+)";/gm;
const DECLARED = /^export (?:declare )?(?:async )?(?:function|class|const|interface|type) (\w+)/gm;
const DEFAULT = /^export default (\w+);/m;
/** A method of an interface or of a class, which callers see. */
const METHOD = /^ {2}(?:async )?(\w+)(?:<[^>]*>)?\(/;
/** Methods that the browser calls. */
const OF_THE_BROWSER = /^(?:constructor|connectedCallback|disconnectedCallback|attributeChangedCallback)$/;

/** Returns what has no docstring, or a long one, among the exports of a module: `name (path)`. */
async function faultsOf(path: string, wanted?: ReadonlySet<string>): Promise<string[]> {
  const program = await readFile(path, "utf8");
  const own = [...program.matchAll(DECLARED)].filter(([, name = ""]) => wanted?.has(name) ?? true);
  const faults = own.flatMap(({ 1: name = "", index }) => [
    ...(isDescribed(program, index) ? [] : [`${name} (${path})`]),
    ...methodFaults(program, index).map((method) => `${name}.${method} (${path})`),
  ]);
  const worker = DEFAULT.exec(program)?.[1];
  if (worker && !isDescribed(program, program.search(new RegExp(`^const ${worker}\\b`, "m")))) {
    faults.push(`default (${path})`);
  }
  for (const [, names, from = ""] of program.matchAll(FROM)) {
    const passed = names?.split(",").map((name) => name.replace(/^\s*(?:type )?/, "").trim());
    const next = passed && new Set(passed.filter((name) => name !== "" && (wanted?.has(name) ?? true)));
    faults.push(...(await faultsOf(join(dirname(path), from), next ?? wanted)));
  }
  return faults;
}

/** Whether a docstring ends right before the position. */
function isDescribed(program: string, at: number): boolean {
  const before = program.slice(0, at);
  if (!before.endsWith("*/\n")) return false;
  const docstring = before.slice(before.lastIndexOf("/**"));
  const lines = docstring.split("\n").filter((line) => /[a-z]/i.test(line) && !/^\s*\* @/.test(line));
  return !docstring.includes("@module") && lines.length >= 1 && lines.length <= MOST_LINES && /[.:]\s/.test(docstring);
}

/** Methods without a docstring. An overload has the docstring of the first. */
function methodFaults(program: string, at: number): string[] {
  const block = program.slice(at, program.indexOf("\n}", at));
  if (!/^export (?:interface|class)/.test(block)) return [];
  const lines = block.split("\n");
  const described = new Set<string>();
  return lines.flatMap((line, index) => {
    const name = METHOD.exec(line)?.[1];
    if (name === undefined || OF_THE_BROWSER.test(name) || described.has(name)) return [];
    described.add(name);
    return lines[index - 1]?.endsWith("*/") ? [] : [name];
  });
}

test.each(ENTRIES)("all that %s exports has a docstring", async (entry) => {
  expect(await faultsOf(entry)).toEqual([]);
});

test("a missing, a long and a module's docstring are faults", () => {
  const at = (text: string) => isDescribed(text, text.indexOf("export"));
  expect(at("/** Opens it. */\nexport function open() {}")).toBe(true);
  expect(at("/**\n * One.\n * Two.\n * Three.\n * Four.\n */\nexport function open() {}")).toBe(true);
  expect(at("/**\n * One.\n * Two.\n * Three.\n * Four.\n * Five.\n */\nexport function open() {}")).toBe(false);
  expect(at("export function open() {}")).toBe(false);
  expect(at("/** The file. @module */\nexport function open() {}")).toBe(false);
  expect(methodFaults("export interface A {\n  one(): void;\n  /** Two. */\n  two(): void;\n}\n", 0)).toEqual(["one"]);
});
