/**
 * Searches in a drawn area: the circle around it through the REST interface, then what meets the area itself.
 * @module
 */
import type { Feature } from "../../../engine/query.ts";
import type { Ask } from "../ask.ts";
import type { AnswerReport, RestAnswer } from "../protocol.ts";
import { type Area, formatArea, MAX_IN_CIRCLE, ringOf } from "./area.ts";
import { enclosingCircle } from "./enclosing-circle.ts";
import { createIntersects } from "./intersects.ts";

/** What the answer's status says when there are more: the area is too large. */
const TOO_MANY = 422;

export interface AreaQuestion {
  /** REST address of the search without place and page, such as `places?categories=cafe`. */
  readonly address: string;
  readonly area: Area;
  /** 0-based. */
  readonly page: number;
  readonly limit: number;
}

export type SearchArea = (question: AreaQuestion, signal: AbortSignal) => Promise<RestAnswer>;

/** What is in an area, and how its circle was searched. */
interface Found {
  readonly records: readonly Feature[];
  readonly report?: AnswerReport;
}

/**
 * Makes the search. Its answers are as the interface's: the records nearest to the circle's centre first, the exact count
 * in `pagination-count`. Status 422, with the circle's count, when the circle holds more than can be looked at.
 */
export function createAreaSearch(ask: Ask, base: URL): SearchArea {
  let last: (Found & { readonly key: string }) | undefined;

  async function recordsIn({ address, area }: AreaQuestion, signal: AbortSignal): Promise<Found | RestAnswer> {
    const ring = ringOf(area);
    const { lon, lat, radiusMeters } = enclosingCircle(ring);
    const askCircle = async (limit: number) => {
      const url = new URL(address, base);
      for (const [name, value] of Object.entries({ lat, lng: lon, radius: radiusMeters, limit })) {
        url.searchParams.set(name, String(value));
      }
      return ask(new Request(url, { signal }));
    };
    const first = await askCircle(1);
    if (first.status !== 200) return first;
    const total = Number(first.headers["pagination-count"]);
    if (total > MAX_IN_CIRCLE) return { ...first, status: TOO_MANY, body: { message: [] } };
    const all = await askCircle(MAX_IN_CIRCLE);
    if (all.status !== 200) return all;
    const intersects = createIntersects(ring);
    const records = (all.body as readonly Feature[]).filter(({ geometry }) => intersects(geometry));
    return { records, ...(all.report ? { report: all.report } : {}) };
  }

  return async (question, signal) => {
    const { address, area, page, limit } = question;
    const key = `${address} ${formatArea(area)}`;
    const found = last?.key === key ? last : await recordsIn(question, signal);
    if ("status" in found) return found;
    const { records, report } = found;
    last = { key, records, ...(report ? { report } : {}) };
    const start = page * limit;
    return {
      status: 200,
      headers: { "pagination-count": String(records.length) },
      body: records.slice(start, start + limit),
      ...(report ? { report } : {}),
    };
  };
}
