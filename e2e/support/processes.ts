/**
 * Lists the processes of a Linux machine.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its arguments, joined by spaces. */
  readonly command: string;
}

/** All processes by pid. One that ends meanwhile has no command and no parent. */
export async function runningProcesses(): Promise<Map<number, RunningProcess>> {
  const all = new Map<number, RunningProcess>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [command, status] = await Promise.all(
      ["cmdline", "status"].map((file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "")),
    );
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status ?? "")?.[1] ?? 0);
    all.set(Number(name), { pid: Number(name), parent, command: (command ?? "").replaceAll("\0", " ") });
  }
  return all;
}

/** The process whose command contains the words, followed by its ancestors; empty if there is none. */
export async function lineOf(words: string): Promise<RunningProcess[]> {
  const all = await runningProcesses();
  const first = [...all.values()].find(({ command }) => command.includes(words));
  return first ? lineFrom(all, first) : [];
}

/** The process, followed by its ancestors. */
export function lineFrom(all: ReadonlyMap<number, RunningProcess>, first: RunningProcess): RunningProcess[] {
  const line: RunningProcess[] = [];
  for (let each: RunningProcess | undefined = first; each; each = all.get(each.parent)) line.push(each);
  return line;
}
