/**
 * Ways out of a compromised worker: code from text, and requests to another host.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Worker } from "@playwright/test";
import { serviceWorkerReady } from "./service-worker.ts";

export interface OutsideServer {
  /** Ends in `/`. */
  readonly url: string;
  /** Number of opened connections. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a host that every origin may read, and that counts connections. */
export async function startOutsideServer(): Promise<OutsideServer> {
  let connections = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript" }).end("1;");
  });
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Tries all ways inside the worker, and returns which of them work. */
function tryRequests(worker: Worker, url: string): Promise<Readonly<Record<string, boolean>>> {
  return worker.evaluate(async (url) => {
    // Synchronous code belongs to the debugger, which may do more.
    await new Promise((resolve) => setTimeout(resolve));
    const goes = async (work: () => unknown): Promise<boolean> => {
      try {
        await work();
        return true;
      } catch {
        return false;
      }
    };
    const opens = (target: EventTarget, event: string) =>
      new Promise((resolve, reject) => {
        target.addEventListener(event, resolve);
        target.addEventListener("error", reject);
      });
    const scope = globalThis as unknown as { importScripts: (url: string) => void };
    const loader = () => URL.createObjectURL(new Blob(["postMessage(1)"], { type: "text/javascript" }));
    return {
      // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested
      eval: await goes(() => globalThis.eval("1 + 1")),
      function: await goes(() => new Function("return 1")()),
      fetch: await goes(() => fetch(url)),
      unseen: await goes(() => fetch(url, { mode: "no-cors" })),
      script: await goes(() => scope.importScripts(url)),
      module: await goes(() => import(url)),
      events: await goes(() => opens(new EventSource(url), "open")),
      socket: await goes(() => opens(new WebSocket(url.replace("http", "ws")), "open")),
      worker: await goes(() => opens(new Worker(loader()), "message")),
    };
  }, url);
}

const SEARCH = "#/places?lat=43.7347&lng=7.4206&radius=300";
export const WAYS = ["eval", "function", "fetch", "unseen", "script", "module", "events", "socket", "worker"];

/** Opens the page, and returns which ways out work in its worker and in the service worker. */
export async function outsideRequests(browser: Browser, home: string, outside: string) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(home + SEARCH);
    await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
    await serviceWorkerReady(page);
    const pageWorker = page.workers().find((worker) => worker.url().includes("page-worker"));
    const [serviceWorker] = context.serviceWorkers();
    if (!pageWorker || !serviceWorker)
      throw new Error(`a worker is missing: ${page.workers().map((each) => each.url())}`);
    const tried = { page: await tryRequests(pageWorker, outside), service: await tryRequests(serviceWorker, outside) };
    const gone = (ways: Readonly<Record<string, boolean>>) => WAYS.filter((way) => ways[way]);
    return { page: gone(tried.page), service: gone(tried.service) };
  } finally {
    await context.close();
  }
}
