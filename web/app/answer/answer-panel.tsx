import type { AnswerReport } from "../../hosts/browser/protocol/index.ts";
import { formatPageState, restAddress } from "../address/index.ts";
import { byOrigin, byPack, isXrayOn, kindOf } from "../map/index.ts";
import { type Found, found } from "../state/index.ts";
import { formatBytes, formatCount, formatSeconds, releaseText, text } from "../text/index.ts";
import { PanelFrame } from "../widgets/index.ts";
import { DuckdbView } from "./duckdb-view.tsx";
import { Pager, PageSize } from "./pager.tsx";
import { StatisticsView } from "./statistics.tsx";
import "../styles/answer.css";

/**
 * Shows how the last search was answered: files by origin, partitions counted without reading, and the time of each
 * step.
 */
export function AnswerPanel({ onClose }: { onClose: () => void }) {
  const now = found.value;
  const { report, total, milliseconds } = now ?? {};
  return (
    <PanelFrame title={text("panel.answer")} kind="beside" onClose={onClose}>
      {report ? (
        <Report report={report} total={total ?? 0} milliseconds={milliseconds ?? 0} />
      ) : (
        <p>{text(now ? "answer.kept" : "answer.none")}</p>
      )}
      {now && !now.alone && now.total > 0 && <Pages found={now} />}
      {now && !now.alone && <DuckdbView key={formatPageState(now)} found={firstPageOf(now)} />}
      <StatisticsView />
    </PanelFrame>
  );
}

/** Buttons for the pages of the results, which the list itself joins, and the URL of the page in the REST interface. */
function Pages({ found: { search, total }, found: now }: { readonly found: Found }) {
  const first = search.page * search.limit;
  const last = Math.min(total, first + search.limit);
  return (
    <section class="answer-pages" aria-label={text("pager.name")}>
      <h3>{text("pager.name")}</h3>
      <p class="answer-page">
        <span>{text("results.range", { first: first + 1, last, total })}</span>
        <PageSize found={now} />
        <a href={`./${restAddress(search)}`} target="_blank" rel="noopener" title={text("footer.apiHint")}>
          {text("footer.api")}
        </a>
      </p>
      <Pager found={now} />
    </section>
  );
}

/** Returns the results without the pages that were added to the list later. */
function firstPageOf(found: Found): Found {
  return { ...found, records: found.records.slice(0, found.search.limit) };
}

interface Props {
  readonly report: AnswerReport;
  readonly total: number;
  /** Until the page had the answer. */
  readonly milliseconds: number;
}

function Report({ report, total, milliseconds }: Props) {
  const { files, partitionsCounted, rowsScanned, release } = report;
  const counted = { total: formatCount(total), rows: formatCount(rowsScanned), counted: partitionsCounted };
  return (
    <>
      <p>{text("answer.summary", counted)}</p>
      <ul class="answer-origins">
        {byOrigin(files).map(({ from, files: count, bytes }) => (
          <li key={from}>{text(`answer.from.${from}`, { files: count, size: formatBytes(bytes) })}</li>
        ))}
      </ul>
      <label class="answer-xray">
        <input
          type="checkbox"
          checked={isXrayOn.value}
          onChange={(event) => {
            isXrayOn.value = event.currentTarget.checked;
          }}
        />
        {text("answer.xray")}
      </label>
      <h3>{text("answer.time", { time: formatSeconds(milliseconds) })}</h3>
      <Steps report={report} milliseconds={milliseconds} />
      <h3>{text("answer.files", { count: files.length })}</h3>
      <Files report={report} />
      <p class="quiet">{releaseText(release)}</p>
    </>
  );
}

function Steps({ report, milliseconds }: Pick<Props, "report" | "milliseconds">) {
  const { plan, read, execute } = report.milliseconds;
  const steps = { plan, read, execute, send: Math.max(0, milliseconds - plan - read - execute) };
  const sum = Object.values(steps).reduce((all, step) => all + step, 0) || 1;
  return (
    <dl class="answer-steps">
      {(Object.keys(steps) as (keyof typeof steps)[]).map((name) => (
        <div key={name}>
          <dt>{text(`answer.step.${name}`)}</dt>
          <dd>
            <span class="answer-bar" style={{ inlineSize: `${(steps[name] / sum) * 60}%` }} />
            {formatSeconds(steps[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Files({ report }: Pick<Props, "report">) {
  return (
    <div class="answer-files">
      <table>
        <thead>
          <tr>
            <th scope="col">{text("answer.file")}</th>
            <th scope="col">{text("answer.rows")}</th>
            <th scope="col">{text("answer.kilobytes")}</th>
            <th scope="col">{text("answer.origin")}</th>
          </tr>
        </thead>
        <tbody>
          {byPack(report.files).map(({ path, bytes, rows, from }) => (
            <tr key={`${path} ${from}`}>
              <th scope="row">
                {text(`answer.kind.${kindOf(path)}`)} <code>{path}</code>
              </th>
              <td>{rows === undefined ? "" : formatCount(rows)}</td>
              <td>{formatCount(bytes / 1000)}</td>
              <td>{text(`answer.origin.${from}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
