/**
 * Fenced blocks of the project's pages.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that a comment above the block says it shows. */
  readonly file: string | undefined;
}

/** README, the pages of the dataset, and every page of `docs/`. */
export async function pages(): Promise<string[]> {
  const names = await readdir("docs", { recursive: true });
  return [
    "README.md",
    ...["README.md", "spec/README.md", "spec/columns.md", "spec/CHANGELOG.md", "spec/vectors/README.md"].map(
      (name) => `data/${name}`,
    ),
    ...names.filter((name) => name.endsWith(".md") && !name.includes("node_modules")).map((name) => `docs/${name}`),
  ].sort();
}

export async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(page, "utf8");
  const fences = text.matchAll(/(?:<!-- file: (\S+) -->\n)?^```([^\n]*)\n(.*?)^```$/gms);
  return [...fences].map(([, file, language = "", body = ""]) => ({ file, language: language.trim(), text: body }));
}

/** Commands of a block: lines that end with a backslash, and quotes that stay open, go on. */
export function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let held = "";
  for (const line of text.split("\n")) {
    held = held === "" ? line : `${held}\n${line}`;
    const isOpen = held.endsWith("\\") || (held.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
    if (isOpen) continue;
    const command = held.trim();
    held = "";
    if (command !== "" && !command.startsWith("#")) commands.push(command);
  }
  return commands;
}
