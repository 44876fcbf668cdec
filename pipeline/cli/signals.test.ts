import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolders } from "../testing/folders.ts";

const newFolder = temporaryFolders();

const TSX = createRequire(import.meta.url).resolve("tsx/cli");
const ENDLESS = fileURLToPath(new URL("../testing/endless-query.ts", import.meta.url));

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends a command during a query that calls a TypeScript function",
  async (signal) => {
    // Starts the command as `npm run cairn` does.
    const child = spawn(process.execPath, [TSX, ENDLESS, await newFolder()], { stdio: ["ignore", "pipe", "inherit"] });
    const [text] = await once(child.stdout, "data");
    const inner = Number(String(text));
    const ended = once(child, "exit");
    onTestFinished(() => {
      child.kill("SIGKILL");
      if (isAlive(inner)) process.kill(inner, "SIGKILL");
    });
    process.kill(inner, signal);
    await ended;
    expect(isAlive(inner)).toBe(false);
  },
);
