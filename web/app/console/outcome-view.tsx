import { useEffect } from "preact/hooks";
import { type ConsoleResult, MOST_KEPT_ROWS, statementBounds } from "../../hosts/browser/protocol/index.ts";
import { formatBytes, formatCount, formatSeconds, text } from "../text/index.ts";
import { CopyButton, downloadFile } from "../widgets/index.ts";
import { LONGEST_RUN_SECONDS, type Outcome, outcome, resultCsv } from "./console-state.ts";
import type { Cost } from "./run-statements.ts";

/** Shows the last result: a table and how much of it is on the map, or DuckDB's error. */
export function OutcomeView() {
  const now = outcome.value;
  // on a small screen it starts below the visible part
  useEffect(() => {
    document.querySelector(".console-error, .console-result > p")?.scrollIntoView({ block: "nearest" });
  }, [now]);
  if (!now) return null;
  if (now.kind === "error") {
    return (
      <pre class="console-error" dir="ltr" role="alert">
        {now.message}
      </pre>
    );
  }
  if (now.kind === "result") return <Result result={now.result} read={now.read} />;
  return <p role="alert">{whyNot(now)}</p>;
}

/** Returns, in words, why a statement was not run or not finished. */
export function whyNot(now: Exclude<Outcome, { readonly kind: "result" | "error" }>): string {
  if (now.kind === "stopped") {
    return now.isTooLong ? text("console.tooLong", { seconds: LONGEST_RUN_SECONDS }) : text("console.stopped");
  }
  if (now.kind === "tooMuch") {
    const { collections, partitions: count, rows, bytes } = now.cost;
    const most = statementBounds(navigator);
    return text("console.tooMuch", {
      count,
      tables: collections.join(", "),
      rows: formatCount(rows),
      size: formatBytes(bytes),
      mostRows: formatCount(most.rows),
      mostSize: formatBytes(most.bytes),
    });
  }
  if (now.kind !== "missing") return text(`console.${now.kind}`);
  const tables = now.collections.join(", ");
  if (now.partitions === undefined) return text("console.missingIndex", { tables });
  return text("console.missing", { count: now.partitions, tables });
}

function Result({ result, read }: { result: ConsoleResult; read: Cost }) {
  const { columns, rows } = result;
  return (
    <section class="console-result" aria-label={text("results.list")}>
      <p aria-live="polite">{summary(result, read)}</p>
      {rows.length > 0 && (
        <div class="actions is-start">
          <CopyButton label={text("console.copyCsv")} make={async () => new TextDecoder().decode(await resultCsv())} />
          <button type="button" onClick={() => void saveCsv()}>
            {text("console.saveCsv")}
          </button>
        </div>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        <div class="console-rows" dir="ltr" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((name, index) => (
                  <th key={index} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((value, column) => (
                    <td key={column} class={value === null ? "quiet" : undefined} dir="auto">
                      {value ?? "NULL"}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

async function saveCsv(): Promise<void> {
  downloadFile(new Blob([await resultCsv()], { type: "text/csv;charset=utf-8" }), "result.csv");
}

function summary(result: ConsoleResult, read: Cost): string {
  const { rows, totalRows, hasMore, drawnColumn, body, milliseconds } = result;
  const total = formatCount(totalRows);
  const parts = [
    hasMore ? text("console.countedTo", { total }) : text("console.rows", { count: totalRows }),
    totalRows > rows.length && text("console.shown", { shown: formatCount(rows.length) }),
    totalRows > MOST_KEPT_ROWS && text("console.csvPart", { shown: formatCount(MOST_KEPT_ROWS) }),
    formatSeconds(milliseconds),
    read.partitions > 0 && text("console.took", { count: read.partitions, size: formatBytes(read.bytes) }),
    drawnColumn !== undefined && text("console.drawn", { count: body.length, column: drawnColumn }),
  ];
  return parts.filter(Boolean).join(" · ");
}
