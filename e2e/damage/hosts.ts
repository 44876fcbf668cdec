/** Hosts that answer from the damaged dataset, each started for one question, so that nothing is cached. @module */
import { vi } from "vitest";
import { open as openInBrowser } from "../../web/embed/index.ts";
import { open as openInNode } from "../../web/embed/node/index.ts";
import type { Cairn } from "../../web/embed/types.ts";
import { faultyCaches } from "../../web/hosts/browser/testing/faulty-caches.ts";
import { faultyIndexedDb } from "../../web/hosts/browser/testing/faulty-indexed-db.ts";
import { createServiceApi } from "../../web/hosts/browser/workers/service-api.ts";
import edge from "../../web/hosts/edge/index.ts";
import { startServer } from "../../web/hosts/node/server.ts";
import type { DamagedFolder } from "./damaged-folder.ts";

/** A request, a tool call or a method call. */
export type Question =
  | { readonly kind: "request"; readonly path: string; readonly body: string | undefined }
  | { readonly kind: "tool"; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: "method"; readonly name: string; readonly call: (cairn: Cairn) => Promise<unknown> };

export interface Answer {
  /** 200 or the error's status for a tool or a method. */
  readonly status: number;
  readonly text: string;
  readonly tag: string | null;
  readonly link: string | null;
  readonly cacheControl: string | null;
}

export interface Host {
  /** The program's file that opens the dataset. */
  readonly root: string;
  /** How it reads the dataset. */
  readonly reads: "folder" | "http";
  readonly kinds: readonly Question["kind"][];
  ask(question: Question, from: DamagedFolder): Promise<Answer>;
}

const BASE = "http://127.0.0.1/";

/** Number of opened hosts. It is part of the address, because modules cache a dataset by address. */
let opened = 0;
const addressOf = ({ url }: DamagedFolder): string => `${url}${++opened}/`;

export const HOSTS: readonly Host[] = [
  {
    root: "web/hosts/node/server.ts",
    reads: "folder",
    kinds: ["request", "tool"],
    async ask(question, { folder }) {
      const server = await startServer({ dataset: folder, port: 0 });
      try {
        const request = requestOf(question, server.url);
        return await (question.kind === "tool" ? toolAnswer : answerOf)(await fetch(request));
      } finally {
        await server.close();
      }
    },
  },
  {
    root: "web/hosts/edge/index.ts",
    reads: "http",
    kinds: ["request"],
    ask: async (question, folder) =>
      answerOf(await edge.fetch(requestOf(question, BASE), { CAIRN_DATASET: addressOf(folder) })),
  },
  {
    root: "web/hosts/browser/workers/service-api.ts",
    reads: "http",
    kinds: ["request"],
    async ask(question, folder) {
      emptyBrowser();
      const api = createServiceApi({ base: new URL(BASE), dataset: new URL(addressOf(folder)) });
      return answerOf(await api(requestOf(question, BASE)));
    },
  },
  {
    root: "web/embed/index.ts",
    reads: "http",
    kinds: ["request", "method"],
    async ask(question, folder) {
      emptyBrowser();
      const address = addressOf(folder);
      return askCairn(question, () => openInBrowser(address));
    },
  },
  {
    root: "web/embed/node/index.ts",
    reads: "folder",
    kinds: ["request", "method"],
    ask: (question, { folder }) => askCairn(question, () => openInNode(folder)),
  },
];

function emptyBrowser(): void {
  vi.stubGlobal("location", new URL(BASE));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("caches", faultyCaches().storage);
  vi.stubGlobal("indexedDB", faultyIndexedDb().factory);
}

/** Returns the HTTP request of a question. */
export function requestOf(question: Question, base: string): Request {
  if (question.kind === "method") throw new Error(`${question.name} is a method, no request`);
  if (question.kind === "request") {
    const { path, body } = question;
    const post = { method: "POST", headers: { "Content-Type": "application/geo+json" } };
    return new Request(new URL(path, base), {
      redirect: "manual",
      ...(body === undefined ? {} : { ...post, body }),
    });
  }
  const { name, arguments: asked } = question;
  return toolRequest(base, { method: "tools/call", params: { name, arguments: asked } });
}

/** Returns the HTTP request of a tool call. */
export function toolRequest(base: string, call: object): Request {
  return new Request(new URL("mcp", base), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
  });
}

/** Reads an answer from a response. */
export async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    text: Buffer.from(await response.arrayBuffer()).toString("latin1"),
    tag: response.headers.get("ETag"),
    link: response.headers.get("Link"),
    cacheControl: response.headers.get("Cache-Control"),
  };
}

/** Reads the answer of a tool call. */
export async function toolAnswer(response: Response): Promise<Answer> {
  const { result } = (await response.json()) as {
    readonly result: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  };
  const text = result.content.map((part) => part.text).join("\n");
  return { status: result.isError ? 503 : 200, text, tag: null, link: null, cacheControl: "no-store" };
}

/** Calls a method of the module. */
export async function askCairn(question: Question, open: () => Promise<Cairn>): Promise<Answer> {
  const plain = { tag: null, link: null, cacheControl: "no-store" };
  try {
    const cairn = await open();
    if (question.kind !== "method") {
      const request = requestOf(question, BASE);
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : null;
      return await answerOf(await cairn.fetch(`${pathname}${search}`, { method, headers, body }));
    }
    return { ...plain, status: 200, text: JSON.stringify(await question.call(cairn)) };
  } catch (error) {
    const { message, status = 503 } = error as Error & { readonly status?: number };
    return { ...plain, status, text: message };
  }
}
