/**
 * What the packages `cairn-map` and `cairn-reader` export has a docstring of one to four lines: functions, classes, types,
 * and the methods of interfaces. So has each function that a file of the program exports.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The entries of `exports` in `package.json`. `/react` and `/preact` add types to the element's. */
const ENTRIES = [
  "web/embed/index.ts",
  "web/embed/node/index.ts",
  "web/embed/map/element.ts",
  "web/hosts/edge/index.ts",
  "web/reader/index.ts",
  "web/reader/node.ts",
  "web/reader/pinned.ts",
];
/** Folders whose exported functions and classes need a docstring. */
const FOLDERS = ["data", "pipeline", "web"];
const CALLED = /^export (?:async )?(?:function\*?|class) (\w+)/gm;
/** Words that say nothing about what a function does. */
const EMPTY =
  /^(?:an?|the|of|in|is|are|for|to|with|and|or|its?|from|by|as|at|on|this|that|these|if|true|whether|all|any|some|one|no)$|^(?:return|create|read|write|make|open|add|check)s?$/;
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

/** Returns the docstring right before the position. */
function docstringAt(program: string, at: number): string | undefined {
  const before = program.slice(0, at);
  const docstring = before.endsWith("*/\n") ? before.slice(before.lastIndexOf("/**")) : "";
  return docstring === "" || docstring.includes("@module") ? undefined : docstring;
}

/** Returns the start of a word, so that `reads` and `reading` are the same. */
const stemOf = (word: string) => word.toLowerCase().replace(/(?<=...)(?:ing|ies|ed|es|s|e|y)$/, "");

/** Whether each word of a docstring is in the name, or says nothing. */
function isRestated(name: string, docstring: string): boolean {
  const known = new Set(name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map(stemOf));
  const words = docstring.match(/[A-Za-z]+/g) ?? [];
  return words.every((word) => EMPTY.test(word.toLowerCase()) || known.has(stemOf(word)));
}

/** Returns the exported functions and classes of a program without a docstring, and with one that restates the name. */
function functionFaults(program: string): string[] {
  // An overload has the docstring of the first.
  const described = new Set<string>();
  return [...program.matchAll(CALLED)].flatMap(({ 1: name = "", index }) => {
    const docstring = docstringAt(program, index);
    if (docstring === undefined) return described.has(name) ? [] : [`${name} has no docstring`];
    described.add(name);
    return isRestated(name, docstring) ? [`the docstring of ${name} restates it`] : [];
  });
}

/** Whether a docstring ends right before the position. */
function isDescribed(program: string, at: number): boolean {
  const docstring = docstringAt(program, at);
  if (docstring === undefined) return false;
  const lines = docstring.split("\n").filter((line) => /[a-z]/i.test(line) && !/^\s*\* @/.test(line));
  return lines.length >= 1 && lines.length <= MOST_LINES && /[.:]\s/.test(docstring);
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

test.each(FOLDERS)("each function that a file of %s exports has a docstring that adds to its name", async (folder) => {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts|testing|node_modules/.test(name),
  );
  const faults = names.map(async (name) =>
    functionFaults(await readFile(join(folder, name), "utf8")).map((fault) => `${join(folder, name)}: ${fault}`),
  );
  expect((await Promise.all(faults)).flat()).toEqual([]);
});

test("a function without a docstring, and one that restates the name, are faults", () => {
  expect(functionFaults("export function readTable() {}\n")).toEqual(["readTable has no docstring"]);
  expect(functionFaults("/** Reads the table. */\nexport function readTable() {}\n")).toEqual([
    "the docstring of readTable restates it",
  ]);
  expect(functionFaults("/** Returns the rows of a CSV file. */\nexport function readTable() {}\n")).toEqual([]);
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
