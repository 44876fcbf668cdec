/**
 * Asks the REST interface within the program: a request in, a parsed answer out, and how it was found.
 * @module
 */
import { type Api, type ApiOptions, createApi } from "../../api/index.ts";
import type { SearchReport } from "../../engine/index.ts";
import type { Origin } from "./cache/cache-source.ts";
import type { AnswerReport, RestAnswer } from "./protocol.ts";
import { isUnanswered } from "./remote.ts";

export type Ask = (request: Request) => Promise<RestAnswer>;

/** The interface, and the way to ask it. `origins` tells where each file was when it was last read. */
export function createAsk(options: ApiOptions, origins: ReadonlyMap<string, Origin>): { api: Api; ask: Ask } {
  const reports = new WeakMap<Request, SearchReport>();
  const unanswered = new WeakSet<Request>();
  const api = createApi({
    ...options,
    onSearch: (report, request) => reports.set(request, report),
    onFailure(error, reference, request) {
      if (isUnanswered(error)) unanswered.add(request);
      options.onFailure?.(error, reference, request);
    },
  });
  const ask: Ask = async (request) => {
    const answer = await toRestAnswer(await api(request));
    if (unanswered.has(request)) return { ...answer, isUnanswered: true };
    const report = reports.get(request);
    return report ? { ...answer, report: withOrigins(report, origins) } : answer;
  };
  return { api, ask };
}

function withOrigins(report: SearchReport, origins: ReadonlyMap<string, Origin>): AnswerReport {
  const files = report.files.map((file) => ({
    ...file,
    from: file.from === "memory" ? file.from : (origins.get(file.path) ?? "network"),
  }));
  return { ...report, files };
}

/** A response of the interface, its body parsed. */
async function toRestAnswer(response: Response): Promise<RestAnswer> {
  const isJson = response.headers.get("Content-Type")?.includes("json");
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? await response.json() : await response.text(),
  };
}
