/**
 * Drives the installed WebKitGTK with WebDriver.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../support/trap-proxy.ts";
import type { Tab, TabOptions } from "./tab.ts";

/** For hangs only. */
const LONGEST_SCRIPT_MS = 240_000;
const ENTER = "\uE007";

/** Opens WebKit. */
export async function openWebKit(
  { driver, browser }: { readonly driver: string; readonly browser: string },
  { display, trapPort, folder, colorScheme = "light" }: TabOptions,
): Promise<Tab> {
  const downloads = join(folder, "downloads");
  await mkdir(downloads);
  await mkdir(join(folder, ".config/gtk-3.0"), { recursive: true });
  await writeFile(join(folder, ".config/user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  await writeFile(
    join(folder, ".config/gtk-3.0/settings.ini"),
    `[Settings]\ngtk-application-prefer-dark-theme=${colorScheme === "dark" ? 1 : 0}\ngtk-enable-animations=0\n`,
  );
  const port = await freePort();
  const env = { ...process.env, DISPLAY: display, HOME: folder, LANG: "en_GB.UTF-8" };
  const server = spawn(driver, [`--port=${port}`], { stdio: ["ignore", "pipe", "ignore"], env });
  const faults: string[] = [];
  createInterface(server.stdout).on("line", (line) => {
    if (/^CONSOLE .*(ERROR|Content Security Policy|Trusted)/.test(line)) faults.push(line);
  });
  const ended = once(server, "exit");
  const call = callerOf(`http://127.0.0.1:${port}`);
  const session = await untilItListens(() =>
    call<{ sessionId: string; capabilities: { browserVersion: string } }>("POST", "/session", {
      capabilities: {
        alwaysMatch: {
          "webkitgtk:browserOptions": {
            binary: browser,
            args: ["--automation", "--enable-write-console-messages-to-stdout=true"],
          },
          timeouts: { script: LONGEST_SCRIPT_MS, pageLoad: LONGEST_SCRIPT_MS },
          proxy: {
            proxyType: "manual",
            httpProxy: `127.0.0.1:${trapPort}`,
            sslProxy: `127.0.0.1:${trapPort}`,
            noProxy: ["127.0.0.1", "localhost"],
          },
        },
      },
    }),
  );
  const at = `/session/${session.sessionId}`;
  const act = (actions: unknown) => call<null>("POST", `${at}/actions`, { actions });
  const type = (text: string) => {
    const keys = Array.from(text).flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    return act([{ type: "key", id: "keyboard", actions: keys }]);
  };
  return {
    browser: `WebKitGTK ${session.capabilities.browserVersion}`,
    downloads,
    async goto(url) {
      await call("POST", `${at}/url`, { url });
    },
    async reload() {
      await call("POST", `${at}/refresh`, {});
    },
    async evaluate(expression) {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve().then(() => ${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await call<{ value?: unknown; error?: string }>("POST", `${at}/execute/async`, {
        script,
        args: [],
      });
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async inject(script) {
      await call("POST", `${at}/execute/sync`, { script, args: [] });
    },
    async press(x, y) {
      const actions = [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await act([{ type: "pointer", id: "mouse", actions }]);
    },
    async type(text) {
      await type(text);
    },
    async enter() {
      await type(ENTER);
    },
    async resize(width, height) {
      const inner = await call<[number, number]>("POST", `${at}/execute/sync`, {
        script: "return [innerWidth, innerHeight]",
        args: [],
      });
      const outer = await call<{ width: number; height: number }>("GET", `${at}/window/rect`);
      await call("POST", `${at}/window/rect`, {
        width: width + outer.width - inner[0],
        height: height + outer.height - inner[1],
      });
    },
    faults: () => faults,
    screenshot: async () => Buffer.from(await call<string>("GET", `${at}/screenshot`), "base64"),
    async close() {
      await call("DELETE", at).catch(() => undefined);
      server.kill();
      await ended;
    },
  };
}

function callerOf(base: string) {
  return async <Value>(method: string, path: string, body?: unknown): Promise<Value> => {
    const response = await fetch(base + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
}

const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

async function untilItListens<Value>(begin: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await begin();
    } catch (error) {
      if (tries === TRIES || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}
