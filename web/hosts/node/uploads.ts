/** Reads bodies of requests whole before their work gets a slot, so that a slow sender has no slot. @module */
import type { Context, MiddlewareHandler } from "hono";
import { BusyError } from "../../api/index.ts";
import { createHeldBytes } from "./held-bytes.ts";

interface UploadLimits {
  readonly uploadBytes: number;
}

export const UPLOAD_LIMITS: UploadLimits = { uploadBytes: 64 * 1024 * 1024 };

/** Maximum share of all bytes for one client address. */
const MOST_OF_PEER = 1 / 2;

interface UploadOptions {
  readonly limits: UploadLimits;
  readonly peerOf: (c: Context) => string;
  /** A longer body is passed on unread, to a handler that refuses it. */
  readonly maxBytes: number;
}

/**
 * Returns middleware that reads bodies of up to `maxBytes` whole. Throws `BusyError` if all bodies together exceed the limit, or
 * those of one client address half of it.
 */
export function holdUploads({ limits: { uploadBytes }, peerOf, maxBytes }: UploadOptions): MiddlewareHandler {
  const held = createHeldBytes();

  return async (c, next) => {
    const { raw } = c.req;
    const announced = Number(raw.headers.get("Content-Length") ?? 0);
    if (!raw.body || announced > maxBytes) return next();
    const peer = peerOf(c);
    const pieces: Uint8Array[] = [];
    let ownBytes = 0;
    try {
      for await (const piece of raw.body) {
        ownBytes += piece.length;
        held.hold(peer, piece.length);
        pieces.push(piece);
        if (ownBytes > maxBytes) break;
        if (held.total() > uploadBytes || held.of(peer) > uploadBytes * MOST_OF_PEER) {
          throw new BusyError(`bodies of requests have more than ${uploadBytes} bytes together: try again later`);
        }
      }
      c.req.raw = new Request(raw, { body: Buffer.concat(pieces) });
      pieces.length = 0;
      await next();
    } finally {
      held.hold(peer, -ownBytes);
    }
  };
}
