/**
 * What a check is, and what it is given.
 * @module
 */
import type { Client } from "./client.ts";
import type { Countries } from "./countries.ts";
import type { Oracle } from "./oracle.ts";

/** Over a socket, or from a page through its service worker. */
export type Transport = "http" | "service-worker";

export interface Kit {
  readonly client: Client;
  readonly oracle: Oracle;
  readonly countries: Countries;
  readonly transport: Transport;
  /** The key, where the implementation is known to want one. */
  readonly key?: string;
  /** Violations of the implementation's own OpenAPI document so far. */
  readonly violations: () => Promise<readonly string[]>;
}

export interface Check {
  readonly name: string;
  /** Throws `Mismatch` when it does not hold, `NotApplicable` when it cannot be told here. */
  run(kit: Kit): Promise<void>;
}

export const check = (name: string, run: (kit: Kit) => Promise<void>): Check => ({ name, run });
