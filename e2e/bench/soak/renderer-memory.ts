/**
 * Memory of a page and one of its workers, from the browser and Linux.
 * @module
 */
import type { Browser, CDPSession, Page } from "@playwright/test";
import { ownBytes } from "./own-memory.ts";

const MEBIBYTE = 1024 * 1024;

declare global {
  /** WebAssembly memories that still exist. */
  var wasmMemories: WeakRef<WebAssembly.Memory>[];
}

/** Run in the worker before its programs start: records their memories. */
export function watchWasm(): void {
  globalThis.wasmMemories = [];
  const { Instance, instantiate } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]) {
      const instance = new target(module, imports);
      for (const each of Object.values(instance.exports)) {
        if (each instanceof WebAssembly.Memory) wasmMemories.push(new WeakRef(each));
      }
      return instance;
    },
  });
  WebAssembly.instantiate = new Proxy(instantiate, {
    async apply(target, self, [module, imports]) {
      const made = await Reflect.apply(target, self, [module, imports]);
      for (const each of Object.values<unknown>((made.instance ?? made).exports)) {
        if (each instanceof WebAssembly.Memory) wasmMemories.push(new WeakRef(each));
      }
      return made;
    },
  });
}

/** In the worker: total WebAssembly memory in bytes. It never shrinks, and includes freed parts. */
const SUM_OF_MEMORIES = "wasmMemories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0)";

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

export interface RendererMemory {
  /** JavaScript objects of the page, after garbage collection. */
  readonly pageMiB: number;
  /** JavaScript objects of the worker, after garbage collection. */
  readonly workerMiB: number;
  /** Buffers of the worker. Whether WebAssembly's are included depends on the browser. */
  readonly buffersMiB: number;
  /** Total WebAssembly memory of the worker. */
  readonly wasmMiB: number;
  /** Resident private memory of the page's process. */
  readonly processMiB: number;
}

export interface MemoryWatch {
  measure(): Promise<RendererMemory>;
  processMiB(): Promise<number>;
}

/** Watches the page and its worker whose script address contains `script`. Call it before the page is opened. */
export async function watchMemory(browser: Browser, page: Page, script: string): Promise<MemoryWatch> {
  const session = await page.context().newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  let worker: Call | undefined;
  session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type === "worker" && targetInfo.url.includes(script)) worker = callsTo(session, sessionId);
  });
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });

  async function processMiB(): Promise<number> {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    // The others are spares.
    return Math.max(...renderers.map(({ id }) => ownBytes(id))) / MEBIBYTE;
  }

  function call(method: string, parameters?: object): Promise<unknown> {
    if (!worker) throw new Error(`no worker of ${script} runs`);
    return worker(method, parameters);
  }

  return {
    processMiB,
    async measure() {
      await session.send("HeapProfiler.collectGarbage");
      await call("HeapProfiler.collectGarbage");
      const own = await session.send("Runtime.getHeapUsage");
      const { usedSize, backingStorageSize } = (await call("Runtime.getHeapUsage")) as HeapUsage;
      return {
        pageMiB: own.usedSize / MEBIBYTE,
        workerMiB: usedSize / MEBIBYTE,
        buffersMiB: backingStorageSize / MEBIBYTE,
        wasmMiB: (await evaluated(call, SUM_OF_MEMORIES)) / MEBIBYTE,
        processMiB: await processMiB(),
      };
    },
  };
}

type Call = (method: string, parameters?: object) => Promise<unknown>;

/** Calls the debugger of a worker through its page's. */
function callsTo(session: CDPSession, sessionId: string): Call {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  session.on("Target.receivedMessageFromTarget", (event) => {
    if (event.sessionId !== sessionId) return;
    const { id, result, error } = JSON.parse(event.message) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    if (id === undefined) return;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  });
  return (method, parameters = {}) => {
    lastId += 1;
    const message = JSON.stringify({ id: lastId, method, params: parameters });
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(lastId, { resolve, reject }));
    return session.send("Target.sendMessageToTarget", { sessionId, message }).then(() => answer);
  };
}

/** Evaluates an expression in the worker to a number. */
async function evaluated(call: Call, expression: string): Promise<number> {
  const { result } = (await call("Runtime.evaluate", { expression })) as { result: { value?: unknown } };
  if (typeof result.value !== "number") throw new Error(`${expression} is ${JSON.stringify(result)}, not a number`);
  return result.value;
}
