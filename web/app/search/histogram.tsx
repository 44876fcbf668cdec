/** The distribution of the values in a column of numbers. @module */
import type { HistogramBar } from "../../hosts/browser/protocol/index.ts";
import { columnOfUnknown, isComplete, searchArgument } from "../address/index.ts";
import { changeSearch, draft } from "../state/index.ts";
import { formatCount, locale, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote } from "../worker/index.ts";
import "../styles/histogram.css";
import { withoutColumnOf } from "./unknown-count.tsx";

/** Names of the two filters of the column. */
export interface HistogramProps {
  /** The filter for the least value; `max` is that for the greatest. */
  readonly min: string;
  readonly max: string;
}

/**
 * Bars with the number of results in ranges of values, ignoring the filters of the column. A click on a bar sets both filters.
 */
export function Histogram({ min, max }: HistogramProps) {
  const answer = useAnswer((signal) => {
    const { path, filters } = draft.value;
    const column = columnOfUnknown(path, min);
    const search = { ...draft.value, filters: withoutColumnOf(path, filters, min), page: 0 };
    if (column === undefined || !isComplete(search)) return undefined;
    return remote("histogram", { search: searchArgument(search), column }, signal);
  });
  if (!answer) return <p class="quiet">{text("filter.counting")}</p>;
  if ("error" in answer || !answer.value) return <p class="quiet">{text("filter.notCounted")}</p>;
  const bars = answer.value;
  const most = Math.max(...bars.map(({ rows }) => rows));
  if (bars.length === 0) return <p class="quiet">{text("statistics.nothing")}</p>;
  return (
    <ol class="histogram">
      {bars.map((bar) => (
        <Bar key={bar.from} bar={bar} share={bar.rows / most} min={min} max={max} />
      ))}
    </ol>
  );
}

/** Returns the number with every digit, because bounds are round numbers. */
function formatValue(value: number): string {
  return value.toLocaleString(locale.value, { maximumSignificantDigits: 12 });
}

function Bar({ bar, share, min, max }: HistogramProps & { readonly bar: HistogramBar; readonly share: number }) {
  const { from, to, rows, most } = bar;
  const { path, filters } = draft.value;
  const own = { [min]: String(from), ...(most === undefined ? {} : { [max]: String(most) }) };
  const isChosen = filters[min] === own[min] && filters[max] === own[max];
  const range = to === undefined ? `≥ ${formatValue(from)}` : `${formatValue(from)}–${formatValue(to)}`;
  const choose = () => {
    const others = withoutColumnOf(path, draft.peek().filters, min);
    changeSearch({ filters: isChosen ? others : { ...others, ...own } });
  };
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        disabled={rows === 0}
        aria-label={`${range}: ${formatCount(rows)}`}
        title={`${range}: ${formatCount(rows)}`}
        onClick={choose}
      >
        <span class="histogram-bar" style={{ blockSize: `${share * 100}%` }} />
      </button>
      <span class="histogram-from" aria-hidden="true">
        {formatValue(from)}
      </span>
    </li>
  );
}
