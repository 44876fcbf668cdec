/**
 * A virtual screen: WebKit needs one to draw, and Firefox needs one for WebGL2.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

export interface Display {
  /** Value of the variable DISPLAY. */
  readonly name: string;
  close(): Promise<void>;
}

/** Starts Xvfb on a free display. */
export async function startDisplay(): Promise<Display> {
  const args = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
  const server = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const ended = once(server, "exit");
  const number = server.stdio[3] as Readable;
  const [screen] = await Promise.race([
    once(number, "data"),
    ended.then(() => Promise.reject(new Error("Xvfb did not start"))),
  ]);
  return {
    name: `:${String(screen).trim()}`,
    async close() {
      server.kill();
      await ended;
    },
  };
}
