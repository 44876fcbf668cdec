import type { RemoteFile } from "./remote.ts";
import type { RetryOptions } from "./retry.ts";

export interface HttpOptions extends RetryOptions {
  /** Opens files of hosts that answer no Range; they are refused when left out. */
  readonly openWhole?: ((found: Identity, ask: Ask) => Promise<RemoteFile>) | undefined;
  /** Whether it is a page that asks: hosts show it those headers alone that they choose, and not `Content-Range` as a rule. */
  readonly isPage?: boolean | undefined;
  /** Ends all requests. */
  readonly signal?: AbortSignal | undefined;
  /** How long a line may be silent. */
  readonly silentMs?: number;
}

export interface AskOptions {
  readonly address: string;
  readonly method?: "HEAD";
  /** Half-open. */
  readonly range?: readonly [start: number, end: number];
  readonly signal?: AbortSignal | undefined;
}

/** Asks, and hands over what came with a good status; called again when the line breaks. */
export type Ask = <T>(request: AskOptions, take: (response: Response, alive: () => void) => Promise<T>) => Promise<T>;

export interface Identity {
  readonly address: string;
  readonly byteLength: number;
  readonly version: string;
  readonly hasRanges: boolean;
}

/** `knownBytes` is the file's length where a part of it may come without one. */
export function identityOf(address: string, response: Response, knownBytes?: number): Identity {
  const { headers, status } = response;
  const isPart = status === 206;
  const ofRange = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const total = ofRange ?? (isPart ? knownBytes : headers.get("content-length"));
  if (total === undefined || total === null) throw new Error(`${address}: the host does not say how long the file is`);
  const version = headers.get("etag") ?? headers.get("last-modified") ?? `${total} bytes`;
  return { address, byteLength: Number(total), version, hasRanges: isPart };
}

/** A file that is replaced while it is read would be made of two. */
export function refuseChanged(was: Identity, now: Identity): void {
  if (now.version === was.version && now.byteLength === was.byteLength) return;
  throw new Error(
    `${was.address}: changed while it was read, from ${was.version} to ${now.version}: the release was replaced`,
  );
}

export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  // not every browser walks a stream by itself
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return;
    yield next.value;
  }
}
