import type { Feature } from "../../engine/query.ts";
import { type Found, found as foundSignal, hovered, isSearching, select } from "../state/session.ts";
import { formatCount, formatDistance, formatMilliseconds } from "../text/numbers.ts";
import { PATH_TEXT } from "../text/paths.ts";
import { distanceOf, recordSubtitle, recordTitle } from "../text/record-text.ts";
import { Pager } from "./pager.tsx";

/** One page of results, in the order in which the map numbers them. */
export function ResultList({ found }: { found: Found }) {
  const { records, search, total, milliseconds } = found;
  const first = search.page * search.limit;
  if (total === 0) return <NothingFound />;
  return (
    <div class={isSearching.value ? "results is-stale" : "results"}>
      <p class="result-range">
        {records.length > 0 ? `${formatCount(first + 1)}–${formatCount(first + records.length)}` : "0"} of{" "}
        {formatCount(total)}
        <span class="quiet"> in {formatMilliseconds(milliseconds)}</span>
      </p>
      <ol class="result-list" start={first + 1} onKeyDown={moveFocus}>
        {records.map((record, index) => (
          <ResultItem key={record.id} record={record} number={first + index + 1} />
        ))}
      </ol>
      <Pager found={found} />
    </div>
  );
}

function ResultItem({ record, number }: { record: Feature; number: number }) {
  const distance = distanceOf(record);
  const subtitle = recordSubtitle(record);
  const point = () => {
    hovered.value = record.id;
  };
  const leave = () => {
    if (hovered.value === record.id) hovered.value = undefined;
  };
  return (
    <li>
      <button
        type="button"
        class="result"
        data-id={record.id}
        data-hovered={hovered.value === record.id}
        onClick={() => select(record.id)}
        onPointerEnter={point}
        onPointerLeave={leave}
        onFocus={point}
        onBlur={leave}
      >
        <span class="result-number" aria-hidden="true">
          {formatCount(number)}
        </span>
        <span class="result-text">
          <span class="result-title" dir="auto">
            {recordTitle(record)}
          </span>
          {subtitle && (
            <span class="result-subtitle" dir="auto">
              {subtitle}
            </span>
          )}
        </span>
        {distance !== undefined && <span class="result-distance">{formatDistance(distance)}</span>}
      </button>
    </li>
  );
}

function NothingFound() {
  const { path, centre, country } = foundSignal.value?.search ?? {};
  const what = path ? PATH_TEXT[path].many : "results";
  return (
    <div class="note">
      <h2>No {what} here</h2>
      <p>
        {centre
          ? "A larger radius, or another spot on the map, may hold some."
          : "The dataset holds none in this country."}
        {centre && country ? " The country filter also applies." : ""}
      </p>
    </div>
  );
}

/** Arrow keys walk the list. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLOListElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const target = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
