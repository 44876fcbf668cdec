import { useSignal, useSignalEffect } from "@preact/signals";
import {
  columnOfUnknown,
  type Filters,
  INCLUDE_UNKNOWN,
  includesUnknown,
  isComplete,
  itemsOf,
  searchArgument,
} from "../address/index.ts";
import { changeSearch, draft } from "../state/index.ts";
import { text } from "../text/index.ts";
import { remote } from "../worker/index.ts";

/** Number of results above which nothing is counted, because it would take seconds. */
const MOST_COUNTED = 50_000;

interface UnknownCountProps {
  readonly name: string;
  /** A value of the filter with which it finds every row that has a value. */
  readonly every: string;
}

/** How many results have no value in the column of the filter, and a checkbox to find them too. */
export function UnknownCount({ name, every }: UnknownCountProps) {
  const count = useSignal<{ readonly unknown: number; readonly total: number } | undefined>(undefined);
  useSignalEffect(() => {
    const { path, filters } = draft.value;
    const search = { ...draft.value, filters: withoutColumnOf(path, filters, name), page: 0 };
    count.value = undefined;
    if (!isComplete(search)) return undefined;
    const asking = new AbortController();
    const totalOf = async (extra: Readonly<Record<string, string>>) => {
      const { parameters, ...asked } = searchArgument({ ...search, filters: { ...search.filters, ...extra } });
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

  const { path, filters } = draft.value;
  const isIncluded = includesUnknown(path, filters, name);
  const hasUnknown = count.value !== undefined && count.value.unknown > 0;
  const column = columnOfUnknown(path, name);
  const isSet = isIncluded || Object.keys(filters).some((each) => columnOfUnknown(path, each) === column);
  return (
    <>
      {count.value && hasUnknown && <p class="quiet filter-unknown">{text("filter.unknown", { ...count.value })}</p>}
      {isSet && (hasUnknown || isIncluded) && (
        <label class="filter-unknown">
          <input
            type="checkbox"
            checked={isIncluded}
            onChange={({ currentTarget: { checked } }) =>
              changeSearch({ filters: withUnknown(path, filters, { name, isIncluded: checked }) })
            }
          />
          {text("filter.includeUnknown")}
        </label>
      )}
    </>
  );
}

/** Returns the filters without all filters of the column that the named filter has, also in `include_unknown`. */
export function withoutColumnOf(path: string, filters: Filters, name: string): Filters {
  const column = columnOfUnknown(path, name);
  const others = Object.entries(filters).filter(([each]) => columnOfUnknown(path, each) !== column);
  return withUnknown(path, Object.fromEntries(others), { name, isIncluded: false });
}

/** Returns the filters with or without the named filter in `include_unknown`. */
function withUnknown(
  path: string,
  { [INCLUDE_UNKNOWN]: list, ...others }: Filters,
  { name, isIncluded }: { readonly name: string; readonly isIncluded: boolean },
): Filters {
  const column = columnOfUnknown(path, name);
  const kept = itemsOf(list).filter((each) => columnOfUnknown(path, each) !== column);
  const next = isIncluded ? [...kept, name] : kept;
  return next.length === 0 ? others : { ...others, [INCLUDE_UNKNOWN]: next.join(",") };
}
