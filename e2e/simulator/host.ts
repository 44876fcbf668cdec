/**
 * The simulated host and its network: files that are published, lost and damaged, and answers that come late, wrong or never.
 * @module
 */
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import type { Random } from "../../web/engine/testing/random.ts";
import { HOST_FAULTS, type HostFaultName } from "../../web/hosts/browser/testing/faulty-host.ts";
import { answerFile } from "../../web/hosts/http/testing/range-answer-of.ts";
import type { Release } from "./releases.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A file stays so until the host is repaired. */
export type Damage = "lost" | "cut" | "changed" | "HTML";

export interface Host {
  release: Release;
  isOnline: boolean;
  /** Share of requests that end in a fault. */
  faultShare: number;
  /** Longest usual time of an answer. */
  latencyMs: number;
  readonly damaged: Map<string, Damage>;
  /** Files on the host. Files of older releases may stay. */
  files: Map<string, Uint8Array>;
  /** Adds the files of the release, then its manifest, at once. */
  publish(release: Release, options: { readonly keepsOld: boolean; readonly lateMs: number }): void;
  repair(): void;
  fetch(path: string, init: RequestInit, isGone: () => boolean): Promise<Response>;
  readonly requests: { count: number };
}

/** The real timer would wait. */
const FAULTS = (Object.keys(HOST_FAULTS) as HostFaultName[]).filter((name) => name !== "slow");
const HTML = new TextEncoder().encode("<!doctype html><title>Log in</title>");
/** Longer than a request may be silent. */
const VERY_LATE_MS = 20_000;

/** Returns a host with this release. */
export function createHost(time: VirtualTime, random: Random, first: Release): Host {
  const requests = { count: 0 };

  function damagedFile(path: string): Uint8Array | undefined {
    const file = host.files.get(path);
    const damage = host.damaged.get(path);
    if (!file || damage === undefined) return file;
    if (damage === "lost") return undefined;
    if (damage === "HTML") return HTML;
    if (damage === "cut") return file.slice(0, file.length >> 1);
    const at = file.length >> 1;
    return file.with(at, (file[at] ?? 0) ^ 1);
  }

  function answer(
    path: string,
    { headers, signal = null }: RequestInit,
    isGone: () => boolean,
  ): Response | Promise<Response> {
    const found = damagedFile(path);
    const range = new Headers(headers).get("Range") ?? undefined;
    const whole = Uint8Array.from(found ?? []);
    if (random.between(0, 1) < host.faultShare) {
      const right = answerFile(whole, { range });
      const { "Content-Length": _, ...sent } = right.headers;
      const make = (body: BodyInit) => new Response(body, { status: right.status, headers: sent });
      return HOST_FAULTS[random.of(FAULTS)]({ file: right.body, whole, range, signal, answer: make });
    }
    if (!found) return new Response("not found", { status: 404 });
    return simpleResponse(answerFile(whole, { range }), isGone);
  }

  /** Like a `Response`, with parts of the body at virtual times. */
  function simpleResponse({ status, headers, body }: ReturnType<typeof answerFile>, isGone: () => boolean): Response {
    const cut = random.below(4) === 0 ? random.below(body.length + 1) : body.length;
    const parts = [body.subarray(0, cut), body.subarray(cut)].filter(({ length }) => length > 0);
    let read = 0;
    const reader = {
      read: () =>
        new Promise((resolve, reject) => {
          const value = parts[read++];
          const next = () => {
            if (isGone()) return;
            if (!host.isOnline) reject(new TypeError("network error"));
            else resolve(value ? { done: false, value } : { done: true, value: undefined });
          };
          if (read === 1) next();
          else time.schedule(random.between(0, host.latencyMs), next);
        }),
      cancel: async () => {},
    };
    const response = {
      status,
      ok: status < 300,
      type: "basic",
      url: "",
      redirected: false,
      headers: new Headers(headers),
      body: { getReader: () => reader, cancel: async () => {} },
    };
    return response as unknown as Response;
  }

  const host: Host = {
    release: first,
    isOnline: true,
    faultShare: 0,
    latencyMs: 100,
    damaged: new Map(),
    files: new Map(first.files),
    publish(release, { keepsOld, lateMs }) {
      host.release = release;
      const manifest = release.files.get(MANIFEST_PATH) ?? new Uint8Array();
      const add = () => {
        if (host.release !== release) return;
        host.files = new Map([...(keepsOld ? host.files : []), ...release.files]);
      };
      // a host that copies the manifest before the other files
      if (lateMs > 0) host.files = new Map([...host.files, [MANIFEST_PATH, manifest]]);
      time.schedule(lateMs, add);
    },
    repair() {
      host.isOnline = true;
      host.faultShare = 0;
      host.damaged.clear();
      host.files = new Map([...host.files, ...host.release.files]);
    },
    fetch(path, init, isGone) {
      requests.count++;
      const { signal } = init;
      const isSlow = host.faultShare > 0 && random.below(100) === 0;
      const halfMs = isSlow ? VERY_LATE_MS / 2 : random.between(1, host.latencyMs) / 2;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        const fail = () => reject(new TypeError("Failed to fetch"));
        time.schedule(halfMs, () => {
          if (isGone()) return;
          if (!host.isOnline) return fail();
          const answered = (async () => answer(path, init, isGone))();
          answered.catch(() => {});
          time.schedule(halfMs, () => {
            answered.then(
              (response) => !isGone() && (host.isOnline ? resolve(response) : fail()),
              (error) => !isGone() && reject(error),
            );
          });
        });
      });
    },
    requests,
  };
  return host;
}
