import type { ConsoleResult } from "../../hosts/browser/protocol/index.ts";
import { formatCount, text } from "../text/index.ts";
import { LONGEST_RUN_SECONDS, outcome } from "./console-state.ts";

/** What the last statement gave: a table, what of it is on the map, or DuckDB's error. */
export function OutcomeView() {
  const now = outcome.value;
  if (!now) return null;
  if (now.kind === "error") {
    return (
      <pre class="console-error" dir="ltr" role="alert">
        {now.message}
      </pre>
    );
  }
  if (now.kind !== "stopped" && now.kind !== "result") return <p role="alert">{text(`console.${now.kind}`)}</p>;
  if (now.kind === "stopped") {
    const why = now.isTooLong ? text("console.tooLong", { seconds: LONGEST_RUN_SECONDS }) : text("console.stopped");
    return <p role="alert">{why}</p>;
  }
  return <Result result={now.result} />;
}

function Result({ result }: { result: ConsoleResult }) {
  const { columns, rows } = result;
  return (
    <section class="console-result" aria-label={text("results.list")}>
      <p aria-live="polite">{summary(result)}</p>
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

function summary({ rows, totalRows, hasMore, drawnColumn, body, milliseconds }: ConsoleResult): string {
  const total = formatCount(totalRows);
  const shown = formatCount(rows.length);
  const parts = [
    hasMore ? text("console.countedTo", { total }) : text("console.rows", { count: totalRows }),
    totalRows > rows.length && text("console.shown", { shown }),
    text("results.milliseconds", { milliseconds: Math.max(1, Math.round(milliseconds)) }),
    drawnColumn !== undefined && text("console.drawn", { count: body.length, column: drawnColumn }),
  ];
  return parts.filter(Boolean).join(" · ");
}
