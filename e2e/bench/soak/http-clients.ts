/**
 * HTTP clients, well and badly behaved.
 * @module
 */
import { once } from "node:events";
import { type Agent, type ClientRequest, get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../../web/engine/testing/random.ts";

/** How a client handles its answer: reads it, leaves before or during it, reads it slowly, or not at all. */
export type Manner = "reads" | "leaves early" | "leaves midway" | "sips" | "never reads";

/** Behaviour of the clients that do not simply read. */
const MISBEHAVING: readonly Manner[] = [
  ...Array<Manner>(40).fill("leaves early"),
  ...Array<Manner>(40).fill("leaves midway"),
  ...Array<Manner>(15).fill("sips"),
  ...Array<Manner>(5).fill("never reads"),
];

const SIP_MS = 100;
const LONGEST_BEFORE_LEAVING_MS = 40;
/** Longer than a host should allow. */
const STAY_MS = 25_000;

export interface Asked {
  readonly manner: Manner;
  /** 0 without an answer. */
  readonly status: number;
  readonly bytes: number;
  /** True if the host closed the connection before the end of the answer. */
  readonly isCutOff: boolean;
  readonly milliseconds: number;
}

/** Returns the behaviour of the next client. This percentage of clients does not simply read. */
export function randomManner(random: Random, misbehavingPercent: number): Manner {
  return random.below(100) < misbehavingPercent ? random.of(MISBEHAVING) : "reads";
}

interface Caller {
  /** Reuses connections. */
  readonly agent: Agent;
  readonly manner: Manner;
  /** `Accept-Encoding`. */
  readonly encoding: string;
  readonly random: Random;
}

/** Sends a request. Never throws: a closed connection has status 0. */
export async function ask(url: string, { agent, manner, encoding, random }: Caller): Promise<Asked> {
  const startMs = performance.now();
  let status = 0;
  let bytes = 0;
  let isCutOff = false;
  // Clients that leave use their own connection.
  const keeps = manner === "reads" || manner === "sips";
  const request = get(url, { agent: keeps ? agent : undefined, headers: { "Accept-Encoding": encoding } });
  try {
    if (manner === "leaves early") {
      request.on("error", () => {});
      await wait(random.below(LONGEST_BEFORE_LEAVING_MS));
    } else {
      const response = await responseTo(request);
      status = response.statusCode ?? 0;
      if (manner === "never reads") {
        isCutOff = await Promise.race([wait(STAY_MS, false), once(response, "close").then(() => true)]);
      } else {
        for await (const chunk of response) {
          bytes += (chunk as Buffer).length;
          if (manner === "leaves midway") break;
          if (manner === "sips") await wait(SIP_MS);
        }
      }
    }
  } catch {
    isCutOff = true;
  }
  if (!keeps) request.destroy();
  return { manner, status, bytes, isCutOff, milliseconds: performance.now() - startMs };
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
  });
}
