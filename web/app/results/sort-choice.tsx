import { MAX_ORDERED_ROWS } from "../../../data/format/limits.ts";
import { sortsOf } from "../address/index.ts";
import { changeSearch, found, pageState } from "../state/index.ts";
import { text } from "../text/index.ts";

/** The order of the results. Of more than can be put in another, the others are offered with what they take. */
export function SortChoice() {
  const { search, total = 0, alone, report } = found.value ?? {};
  if (!search || alone || pageState.value.record !== undefined) return null;
  const { path, sort, centre, area } = search;
  const sorts = sortsOf(path);
  if (total < 2 || sorts.length === 0) return null;
  const isTooMany = total > MAX_ORDERED_ROWS;
  return (
    <label class="sort">
      <span class="visually-hidden">{text("sort.label")}</span>
      <select
        value={(report?.isOrdered && sort) || ""}
        onChange={({ currentTarget: { value } }) => {
          changeSearch({ sort: sorts.find((known) => known === value) });
        }}
      >
        <option value="">{text((centre ?? area) ? "sort.distance" : "sort.id")}</option>
        {sorts.map((known) => {
          const order = text(`sort.${known}`);
          return (
            <option key={known} value={known} disabled={isTooMany}>
              {isTooMany ? text("sort.most", { order, count: MAX_ORDERED_ROWS }) : order}
            </option>
          );
        })}
      </select>
    </label>
  );
}
