import { writtenName } from "../../../data/format/own-collections.ts";
import { FLAGS, type OwnFilter } from "../../../data/format/own-filters.ts";
import { hasHours, nameColumnOf } from "../address/index.ts";
import { changeSearch, draft, isShop, mapSettings } from "../state/index.ts";
import { text } from "../text/index.ts";
import { Unfold } from "../widgets/index.ts";
import { FacetFilter } from "./filters-facet.tsx";
import { ChoicesFilter, filterProps, TextFilter } from "./filters-fields.tsx";
import { LateHistogram } from "./late-histogram.tsx";
import { UnknownCount } from "./unknown-count.tsx";

/** Number of lists of values that are open at first. Open lists are counted, so further ones are collapsed. */
const SHOWN_LISTS = 3;

/** The filters of a collection with its own schema, in the order of its columns or of `map.json`. */
export function OwnFilters({ filters: all }: { readonly filters: readonly OwnFilter[] }) {
  const filters = chosenFilters(all);
  const shown = filters.filter(
    ({ kind, bound }) => bound !== "max" && kind !== "numbers" && !(kind === "date" && !bound),
  );
  const lists = shown.filter(({ kind }) => kind === "values");
  return (
    <>
      {!isShop && hasHours(draft.value.path) && <OpenNowFilter />}
      {shown.map((filter) => (
        <OwnFilterField
          key={filter.name}
          filter={filter}
          filters={filters}
          isFolded={lists.indexOf(filter) >= SHOWN_LISTS}
        />
      ))}
    </>
  );
}

/** Returns the filters that `map.json` lists, in the order there; all if it lists none. */
function chosenFilters(filters: readonly OwnFilter[]): readonly OwnFilter[] {
  const chosen = mapSettings.shop?.filters;
  if (!chosen) return filters;
  return chosen.flatMap((name) => filters.filter(({ column }) => writtenName(column.name) === name));
}

/** A checkbox that keeps records that are open now, each by the clock at its place. */
export function OpenNowFilter() {
  return (
    <label class="open-now">
      <input
        type="checkbox"
        checked={draft.value.isOpenNow ?? false}
        onChange={({ currentTarget: { checked } }) => changeSearch({ isOpenNow: checked })}
      />
      {text("hours.openNow")}
    </label>
  );
}

interface FieldProps {
  readonly filter: OwnFilter;
  readonly filters: readonly OwnFilter[];
  readonly isFolded: boolean;
}

function OwnFilterField({ filter, filters, isFolded }: FieldProps) {
  const { name, kind, column } = filter;
  switch (kind) {
    case "values": {
      const list = () => (
        <FacetFilter
          {...filterProps(name)}
          facet="column"
          column={column.name}
          isSingle={column.type !== "list"}
          isTitleHidden={isFolded}
        />
      );
      return isFolded ? <Unfold title={writtenName(column.name)}>{list}</Unfold> : list();
    }
    case "flags":
      return (
        <div>
          <ChoicesFilter {...filterProps(name)} choices={FLAGS} />
          <UnknownCount name={name} every={FLAGS.join(",")} />
        </div>
      );
    case "words":
      // the index has the words of names
      return <TextFilter {...filterProps(column.name === nameColumnOf(draft.value.path)?.name ? "name" : name)} />;
    default: {
      const max = filters.find((other) => other.column.name === column.name && other.bound === "max");
      return max ? <RangeFilter min={filter} max={max} /> : null;
    }
  }
}

/** Fields for the least and the greatest value of a column. */
function RangeFilter({ min, max }: { readonly min: OwnFilter; readonly max: OwnFilter }) {
  const props = min.kind === "date" ? { placeholder: "YYYY-MM-DD" } : { inputMode: "decimal" as const };
  return (
    <fieldset class="field">
      <legend>{writtenName(min.column.name)}</legend>
      <div class="range">
        <TextFilter {...filterProps(min.name)} {...props} label={text("filter.from")} />
        <TextFilter {...filterProps(max.name)} {...props} label={text("filter.to")} />
      </div>
      <UnknownCount name={min.name} every={min.kind === "number" ? String(-Number.MAX_VALUE) : "0000"} />
      {min.kind === "number" && <LateHistogram min={min.name} max={max.name} />}
    </fieldset>
  );
}
