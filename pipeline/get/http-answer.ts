import type { RetryOptions } from "./retry.ts";

export interface HttpOptions extends RetryOptions {
  /** Folder for whole files of hosts that answer no Range. */
  readonly folder: string;
  readonly onNotice: (message: string) => void;
  /** How long a line may be silent. */
  readonly silentMs?: number;
}

export interface AskOptions {
  readonly address: string;
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

export function identityOf(address: string, response: Response): Identity {
  const { headers, status } = response;
  const total = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? headers.get("content-length");
  if (total === null || (status === 206 && !headers.has("content-range")))
    throw new Error(`${address}: the host does not say how long the file is`);
  const version = headers.get("etag") ?? headers.get("last-modified") ?? `${total} bytes`;
  return { address, byteLength: Number(total), version, hasRanges: status === 206 };
}

/** A file that is replaced while it is read would be made of two. */
export function refuseChanged(was: Identity, now: Identity): void {
  if (now.version === was.version && now.byteLength === was.byteLength) return;
  throw new Error(
    `${was.address}: changed while it was read, from ${was.version} to ${now.version}: the release was replaced`,
  );
}

export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body) for await (const chunk of response.body) yield chunk as Uint8Array;
}
