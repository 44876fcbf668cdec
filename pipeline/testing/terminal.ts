/**
 * Runs a command in a pseudo-terminal with `script` of util-linux, or with pipes if there is none.
 * @module
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** True if this machine has it. `script` of BSD and macOS has other arguments. */
export const HAS_TERMINAL = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");

/** Only for commands that never end. */
const NEVER_MS = 300_000;

const INTERRUPT = "\x03";

export interface TerminalSession {
  /** All output so far. */
  readonly text: () => string;
  /** Resolves when the output matches. Rejects if the command ends first. */
  readonly until: (words: RegExp) => Promise<RegExpExecArray>;
  readonly interrupt: () => void;
  /** The exit code, or 128 plus the signal number. Rejects if the command does not end. */
  readonly ended: Promise<number>;
}

export interface TerminalOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a command in a pseudo-terminal. */
export function openTerminal(
  command: readonly string[],
  { cwd, env = process.env }: TerminalOptions = {},
): TerminalSession {
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  // Without `exec`, a shell between script and the command would also get the signals.
  const [program = "", ...args] = HAS_TERMINAL ? ["script", "-qec", `exec ${line}`, "/dev/null"] : command;
  const child = spawn(program, args, { cwd, env: { ...env, TERM: "xterm" } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (text += more));
  const ended = endOf(child, () => `${line} does not end; it wrote:\n${text.slice(-2000)}`);
  let isRunning = true;
  const settled = ended.then(
    () => (isRunning = false),
    () => (isRunning = false),
  );
  return {
    text: () => text,
    ended,
    interrupt: () => void (HAS_TERMINAL ? child.stdin.write(INTERRUPT) : child.kill("SIGINT")),
    until: async (words) => {
      for (;;) {
        const found = words.exec(text);
        if (found) return found;
        if (!isRunning) throw new Error(`${line} ended without ${words}; it wrote:\n${text.slice(-2000)}`);
        await Promise.race([once(child.stdout, "data"), settled]);
      }
    },
  };
}

async function endOf(child: ChildProcessWithoutNullStreams, complaint: () => string): Promise<number> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, NEVER_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  if (isLate) throw new Error(complaint());
  return code ?? -1;
}
