/**
 * Types of checks and their input.
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
  /** The key, if the implementation needs one. */
  readonly key?: string;
  /** Violations of the implementation's OpenAPI document so far. */
  readonly violations: () => Promise<readonly string[]>;
}

export interface Check {
  readonly name: string;
  /** Throws `Mismatch` if the check fails, `NotApplicable` if it cannot be decided. */
  run(kit: Kit): Promise<void>;
}

export const check = (name: string, run: (kit: Kit) => Promise<void>): Check => ({ name, run });
