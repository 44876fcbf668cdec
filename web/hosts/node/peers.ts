/** The client address of a request, for limits. @module */
import { isIPv6 } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/**
 * Returns the caller's IP address, in the form of `networkOf`. Behind a trusted proxy it is the last one in `X-Forwarded-For`,
 * because a caller can forge the others.
 */
export function peerOf(c: Context<{ Bindings: HttpBindings }>, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header("X-Forwarded-For")?.split(",").at(-1)?.trim() : undefined;
  return networkOf(forwarded || (c.env.incoming.socket.remoteAddress ?? ""));
}

/**
 * Returns an IPv6 address cut to its first 64 bits, because one caller has all addresses that share them; an IPv4 address, also
 * one inside IPv6, as IPv4; any other text unchanged.
 */
export function networkOf(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !isIPv6(address)) return v4 ?? address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*/, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${groups.slice(0, 4).join(":")}::`;
}
