import type { ExtractPlan } from "../../../../data/release/index.ts";
import type { DecodeParquet } from "../../../engine/index.ts";
import { loadPart } from "../parts/index.ts";
import type { OvertureCalls, ReleaseSize, RemoteHandlers } from "../protocol/index.ts";

/**
 * Returns handlers that fetch rows of an Overture release from the hosts that the site's policy allows. `fetchRelease` takes only
 * the id of the last measurement, and throws for any other.
 */
export function overtureHandlers(decoder: () => Promise<DecodeParquet>): Pick<RemoteHandlers, keyof OvertureCalls> {
  let measured: { readonly id: string; readonly plan: ExtractPlan } | undefined;
  let lastId = 0;
  return {
    async measureRelease(question, signal) {
      const { planRelease } = await loadPart(() => import("./overture.ts"));
      const plan = await planRelease(question, signal);
      lastId += 1;
      measured = { id: String(lastId), plan };
      return sizeOf(measured.id, plan);
    },
    async fetchRelease(id, signal, onProgress) {
      if (measured?.id !== id) throw new Error(`no measurement ${id} of a release: measure the area again`);
      const { fetchRows } = await loadPart(() => import("./overture.ts"));
      return fetchRows(measured.plan, { decode: await decoder(), signal, onProgress });
    },
  };
}

function sizeOf(id: string, { release, types, files }: ExtractPlan): ReleaseSize {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const wanted = types.filter(({ type }) => files.some((file) => file.type === type));
  return {
    id,
    release,
    licenses: [...new Set(wanted.map(({ license }) => license))],
    files: files.length,
    groups: sum(files.map(({ groups }) => groups)),
    bytes: sum(files.map(({ bytes }) => bytes)),
    rows: Math.round(sum(files.map(({ estimate }) => estimate))),
  };
}
