import { useSignal, useSignalEffect } from "@preact/signals";
import { isComplete, searchArgument } from "../address/index.ts";
import { draft } from "../state/index.ts";
import { text } from "../text/index.ts";
import { remote } from "../worker/index.ts";

/** More rows would take seconds to count. */
const MOST_COUNTED = 50_000;

/** How many rows of the search have no value, which a filter leaves out. `every` is the filter that all values pass. */
export function UnknownCount({ name, every }: { readonly name: string; readonly every: string }) {
  const count = useSignal<{ readonly unknown: number; readonly total: number } | undefined>(undefined);
  useSignalEffect(() => {
    const { [name]: _, ...filters } = draft.value.filters;
    const search = { ...draft.value, filters, page: 0 };
    count.value = undefined;
    if (!isComplete(search)) return undefined;
    const asking = new AbortController();
    const totalOf = async (extra: Readonly<Record<string, string>>) => {
      const { parameters, ...asked } = searchArgument({ ...search, filters: { ...filters, ...extra } });
      const answer = await remote("search", { ...asked, parameters: { ...parameters, limit: "1" } }, asking.signal);
      return answer.kind === "found" ? answer.total : undefined;
    };
    const ask = async () => {
      const total = await totalOf({});
      if (total === undefined || total === 0 || total > MOST_COUNTED) return;
      const known = await totalOf({ [name]: every });
      if (known !== undefined && !asking.signal.aborted) count.value = { unknown: total - known, total };
    };
    // the filter works without the count
    ask().catch(() => {});
    return () => asking.abort();
  });
  if (!count.value || count.value.unknown === 0) return null;
  return <p class="quiet filter-unknown">{text("filter.unknown", { ...count.value })}</p>;
}
