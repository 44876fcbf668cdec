/**
 * Cairn, set up as in its page worker.
 * @module
 */
import { createApi } from "../../../../web/api/index.ts";
import { LOOK_ROUND_MS, stepsAhead } from "../../../../web/app/state/steps-ahead.ts";
import { compose } from "../../../../web/hosts/browser/workers/compose.ts";
import type { Peer, Place, Question } from "../question.ts";

/** The page loads the index when idle. The state *cold* starts later. */
const PREFETCH_AFTER_MS = 1500;

const BASE = new URL("/", location.href);

/** Opens the dataset. `place` is the middle of the map. */
export async function openCairn(place: Place | undefined): Promise<Peer> {
  const { dataset, loadReader } = compose({ base: BASE });
  const api = createApi({ dataset });
  await dataset.manifest();
  // A page that is at rest has the Parquet reader: the base map loads it.
  if (place) await loadReader();
  const near = place && { ...place, collections: ["place"] as const };
  setTimeout(() => void dataset.prefetchIndex({ near }).catch(() => {}), PREFETCH_AFTER_MS);
  const ask = (question: Question) => api(new Request(new URL(`/places?${parametersOf(question)}`, location.href)));
  let before: Question | undefined;

  /** Preloads as the page does after a step, unless the user has continued. */
  function askAhead(from: Question | undefined, to: Question): void {
    if (!from || !("lat" in from && "lat" in to) || (from.lat === to.lat && from.lon === to.lon)) return;
    setTimeout(async () => {
      for (const step of stepsAhead(from, to)) if (before === to) await ask({ ...to, ...step }).catch(() => {});
    }, LOOK_ROUND_MS);
  }

  return {
    async answer(question) {
      const from = before;
      before = question;
      const response = await ask(question);
      askAhead(from, question);
      if (!response.ok) throw new Error(`/places answered ${response.status}: ${await response.text()}`);
      const total = Number(response.headers.get("Pagination-Count"));
      if (question.kind === "export") {
        const file = await response.blob();
        return { total, ids: async () => idsOf(await file.text()) };
      }
      const records = (await response.json()) as { id: string }[];
      return { total, ids: async () => records.map(({ id }) => id) };
    },
  };
}

function parametersOf(question: Question): URLSearchParams {
  const { limit, page } = question;
  const parameters = new URLSearchParams({ limit: String(limit), page: String(page) });
  if ("country" in question) parameters.set("country", question.country);
  if ("text" in question) parameters.set("name", question.text);
  if ("radiusMeters" in question) {
    const { lat, lon, radiusMeters, category, format } = question;
    for (const [name, value] of Object.entries({ lat, lng: lon, radius: radiusMeters })) {
      parameters.set(name, String(value));
    }
    if (category !== undefined) parameters.set("categories", category);
    if (format !== undefined) parameters.set("format", format);
  }
  return parameters;
}

/** Ids in a file of any format: the first member in JSON, the first column in CSV. */
function idsOf(text: string): string[] {
  if (!/^[[{]/.test(text)) return [...text.matchAll(/^([0-9a-f-]{36}),/gm)].map(([, id = ""]) => id);
  const parsed = JSON.parse(text) as { features?: { id: string }[] } & { id: string }[];
  return (parsed.features ?? parsed).map(({ id }) => id);
}
