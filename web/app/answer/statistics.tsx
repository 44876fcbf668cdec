import { useSignal } from "@preact/signals";
import { CONFIDENCE_STEPS, type FacetCounts, type Statistics } from "../../hosts/browser/protocol/index.ts";
import { type FilterName, parseFilter, type Search, searchArgument } from "../address/index.ts";
import { choiceText } from "../search/index.ts";
import { changeSearch, draft, type Found, found } from "../state/index.ts";
import { formatBytes, formatCount, formatPercent, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { database, engineParts, remote } from "../worker/index.ts";

/** Estimate: a partition has about 256 KiB for 2,048 rows. */
const BYTES_PER_ROW = 128;
/** Compressed size of DuckDB: docs/decisions/04. */
const DATABASE_BYTES = 5_000_000;
/** Size of a download above which the user is asked first. */
const MOST_UNASKED_BYTES = 10_000_000;

/** Shows statistics of all rows of the search. Fetches nothing before it is opened. */
export function StatisticsView() {
  const isOpen = useSignal(false);
  const agreed = useSignal<Found | undefined>(undefined);
  const attempt = useSignal(0);
  const isCounted = (now: Found) => bytesFor(now) <= MOST_UNASKED_BYTES || agreed.value === now;
  const answer = useAnswer((signal) => {
    attempt.value;
    const now = found.value;
    return isOpen.value && now && !now.alone && isCounted(now) ? count(now.search, signal) : undefined;
  });
  const now = found.value;
  if (!now || now.alone || now.total === 0) return null;
  return (
    <details
      class="statistics"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{text("statistics.title")}</summary>
      <div aria-live="polite">
        {!answer && <p>{costText(now)}</p>}
        {!answer && !isCounted(now) && (
          <button
            type="button"
            onClick={() => {
              agreed.value = now;
            }}
          >
            {text("statistics.count")}
          </button>
        )}
        {answer && "error" in answer && (
          <>
            <p role="alert">{text("filter.notCounted")}</p>
            <button type="button" onClick={() => attempt.value++}>
              {text("statistics.count")}
            </button>
          </>
        )}
        {answer && "value" in answer && <p>{text("statistics.counted", { count: answer.value.rows })}</p>}
      </div>
      {answer && "value" in answer && <Counts statistics={answer.value} search={now.search} />}
    </details>
  );
}

async function count(search: Search, signal: AbortSignal): Promise<Statistics> {
  const [{ call, ended }, table] = await Promise.all([
    database.start(),
    remote("statisticsTable", searchArgument(search), signal),
  ]);
  return call("countTable", table, ended);
}

function bytesFor({ total, report }: Found): number {
  const isHere = engineParts.database.peek()?.state === "ready";
  const unread = Math.max(0, total - (report?.rowsScanned ?? 0));
  return unread * BYTES_PER_ROW + (isHere ? 0 : DATABASE_BYTES);
}

function costText(now: Found): string {
  const { total } = now;
  return text("statistics.cost", { count: total, size: formatBytes(bytesFor(now)) });
}

function Counts({ statistics, search }: { statistics: Statistics; search: Search }) {
  const { facets, confidence } = statistics;
  return (
    <>
      {facets
        .filter(({ facet, values }) => facet !== "types" || values > 1)
        .map((counts) => (
          <Facet key={counts.facet} counts={counts} search={search} />
        ))}
      {confidence && <Confidence steps={confidence} search={search} />}
      {facets.length === 0 && !confidence && <p>{text("statistics.nothing")}</p>}
    </>
  );
}

function Facet({ counts, search }: { counts: FacetCounts; search: Search }) {
  const { facet, values, listed } = counts;
  const most = listed[0]?.rows ?? 1;
  return (
    <table class="statistics-bars">
      <caption>{text(`filter.${facet}`)}</caption>
      <tbody>
        {listed.map(({ value, rows: own }) => (
          <Bar key={value} rows={own} share={own / most} search={search} filter={facet} value={value}>
            {facet === "brand_name" ? value : choiceText(facet, value)}
          </Bar>
        ))}
        {values > listed.length && (
          <tr class="quiet">
            <th scope="row" colSpan={2}>
              <span dir="auto">{text("statistics.others", { count: values - listed.length })}</span>
            </th>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/**
 * Bars of records by minimum confidence. Steps below the filter `min_confidence` are left out, because the search did not find
 * all of their records.
 */
function Confidence({ steps, search }: { steps: readonly number[]; search: Search }) {
  const [most = 1] = steps;
  const least = Number(search.filters.min_confidence ?? 0);
  return (
    <table class="statistics-bars">
      <caption>{text("property.confidence")}</caption>
      <tbody>
        {steps.map((rows, step) => {
          const from = step / CONFIDENCE_STEPS;
          if (from < least) return null;
          return (
            <Bar
              key={step}
              rows={rows}
              share={rows / most}
              search={search}
              filter="min_confidence"
              value={String(from)}
            >
              {text("statistics.atLeast", { share: formatPercent(from) })}
            </Bar>
          );
        })}
      </tbody>
    </table>
  );
}

interface BarProps {
  readonly rows: number;
  readonly share: number;
  readonly search: Search;
  readonly filter: FilterName;
  readonly value: string;
  readonly children: string;
}

/** A row of the table. If the path has the filter, its name is a button that sets or removes it. */
function Bar({ rows, share, search: { path, filters }, filter, value, children }: BarProps) {
  const parsed = parseFilter(path, filter, value);
  const isChosen = parsed !== undefined && filters[filter] === parsed;
  const choose = () => {
    const { [filter]: _, ...others } = draft.peek().filters;
    changeSearch({ filters: isChosen || parsed === undefined ? others : { ...others, [filter]: parsed } });
  };
  return (
    <tr>
      <th scope="row">
        {parsed === undefined ? (
          <span dir="auto">{children}</span>
        ) : (
          <button type="button" aria-pressed={isChosen} onClick={choose}>
            <span dir="auto">{children}</span>
          </button>
        )}
        <span class="statistics-bar" style={{ inlineSize: `${share * 100}%` }} />
      </th>
      <td>{formatCount(rows)}</td>
    </tr>
  );
}
