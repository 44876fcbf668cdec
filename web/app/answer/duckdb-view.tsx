import { useEffect, useMemo } from "preact/hooks";
import { MAX_ORDERED_ROWS } from "../../../data/format/limits.ts";
import { MOST_KEPT_ROWS } from "../../hosts/browser/protocol/index.ts";
import type { FormatName } from "../../search/index.ts";
import { isByRelevance } from "../address/index.ts";
import { describedCollections, whyNot } from "../console/index.ts";
import { duckdbSearch, type Preventing } from "../copy/index.ts";
import { exportFileName } from "../export/index.ts";
import { searchWords } from "../search/index.ts";
import { type Found, openConsole } from "../state/index.ts";
import {
  distanceOf,
  formatBytes,
  formatCount,
  formatDistance,
  formatSeconds,
  isKey,
  recordTitle,
  text,
} from "../text/index.ts";
import { CopyButton, downloadFile, Step } from "../widgets/index.ts";
import { engineParts } from "../worker/index.ts";
import { type Compared, createDuckdbRun, type DuckdbRun, type Failure, type Timed } from "./run-in-duckdb.ts";

const FORMATS = ["csv", "geoparquet", "json"] as const satisfies readonly FormatName[];

/** Runs the search of the list in DuckDB, and compares the rows, the time and the bytes. */
export function DuckdbView({ found }: { found: Found }) {
  const made = useMemo(() => {
    const statementsOf = (page: number) =>
      duckdbSearch({ ...found.search, page }, { dataset: describedCollections(), isOrdered: isOrdered(found) });
    const first = statementsOf(found.search.page);
    if (first?.kind !== "statements") return { prevented: first?.by };
    const run = createDuckdbRun(found, (page) => {
      const statements = statementsOf(page);
      return statements?.kind === "statements" ? statements : first;
    });
    return { run, sqlOf: (page: number) => sqlOf(statementsOf(page)) };
  }, [found]);
  const { run } = made;
  useEffect(() => () => run?.stop(), [run]);
  if (!run) return made.prevented ? <Prevented by={made.prevented} /> : null;
  return <Run run={run} found={found} sqlOf={made.sqlOf} />;
}

/** Whether the list has the order that the search asks for. Too many matches to sort stay in the default order. */
function isOrdered({ search, report, total }: Found): boolean {
  return (search.sort !== undefined || isByRelevance(search)) && (report?.isOrdered ?? total <= MAX_ORDERED_ROWS);
}

function sqlOf(statements: ReturnType<typeof duckdbSearch>): string {
  return statements?.kind === "statements" ? `${statements.count};\n\n${statements.rows};\n` : "";
}

function Prevented({ by }: { by: Preventing }) {
  return (
    <section class="duckdb">
      <h3>{text("duckdb.title")}</h3>
      <button type="button" aria-disabled aria-describedby="duckdb-prevented">
        {text("duckdb.run")}
      </button>
      <p id="duckdb-prevented">{preventedText(by)}</p>
    </section>
  );
}

function preventedText(by: Preventing): string {
  if (by.kind === "filter") {
    const key = `filter.${by.name}`;
    return text("duckdb.prevented", { filter: isKey(key) ? text(key) : by.name });
  }
  return text(by.kind === "sort" ? "duckdb.preventedSort" : "duckdb.preventedOpen");
}

interface RunProps {
  readonly run: DuckdbRun;
  readonly found: Found;
  readonly sqlOf: (page: number) => string;
}

function Run({ run, found, sqlOf }: RunProps) {
  const compared = run.compared.value;
  const isBusy = run.stage.value !== undefined;
  const sql = sqlOf(compared?.page ?? found.search.page);
  return (
    <section class="duckdb">
      <h3>{text("duckdb.title")}</h3>
      <p class="quiet">{text("duckdb.about")}</p>
      <div class="actions is-start">
        <button type="button" aria-disabled={isBusy} onClick={() => void run.run(found.search.page)}>
          {text("duckdb.run")}
        </button>
        {isBusy && (
          <button type="button" onClick={run.stop}>
            {text("console.stop")}
          </button>
        )}
      </div>
      <Progress run={run} />
      {run.failure.value && <FailureText failure={run.failure.value} />}
      {compared && <Result run={run} found={found} compared={compared} />}
      {(compared || isBusy || run.failure.value) && (
        <details class="duckdb-sql" open>
          <summary>{text("copy.sql")}</summary>
          <pre class="answer-sql" dir="ltr">
            {sql}
          </pre>
          <div class="actions is-start">
            <CopyButton label={text("duckdb.copy")} make={() => sql} />
            <button type="button" onClick={() => openConsole(sql)}>
              {text("copy.console")}
            </button>
          </div>
        </details>
      )}
    </section>
  );
}

function Progress({ run }: { run: DuckdbRun }) {
  const stage = run.stage.value;
  if (stage?.kind === "asking") {
    const { partitions: count, rows, bytes } = stage.cost;
    return (
      <>
        <p role="alert">{text("console.cost", { count, rows: formatCount(rows), size: formatBytes(bytes) })}</p>
        <div class="actions is-start">
          <button type="button" class="primary" onClick={() => stage.agree(true)}>
            {text("console.read")}
          </button>
          <button type="button" onClick={() => stage.agree(false)}>
            {text("console.cancel")}
          </button>
        </div>
      </>
    );
  }
  return (
    <p class="quiet" aria-live="polite">
      {stageText(stage)}
    </p>
  );
}

function stageText(stage: DuckdbRun["stage"]["value"]): string {
  if (!stage || stage.kind === "asking") return "";
  if (stage.kind === "reading") {
    const { read, cost } = stage;
    const [done, total] = [formatCount(read), formatCount(cost.partitions)];
    return text("console.reading", { read: done, total, size: formatBytes(cost.bytes) });
  }
  if (stage.kind !== "starting") return text(`console.${stage.kind}`);
  const { receivedBytes = 0, totalBytes = 0 } = engineParts.database.value ?? {};
  return text("console.starting", { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) });
}

function FailureText({ failure }: { failure: Failure }) {
  if (failure.kind !== "error") return <p role="alert">{whyNot(failure)}</p>;
  return (
    <pre class="console-error" dir="ltr" role="alert">
      {failure.message}
    </pre>
  );
}

function Result({ run, found, compared }: { run: DuckdbRun; found: Found; compared: Compared }) {
  const { page, engine, duckdb, comparison } = compared;
  const { limit } = found.search;
  const pages = Math.max(1, Math.ceil(duckdb.total / limit));
  const first = page * limit + 1;
  return (
    <>
      <p role="status" class={comparison.kind === "same" ? "duckdb-same" : "duckdb-differs"}>
        {comparisonText(compared)}
      </p>
      <table class="duckdb-costs">
        <thead>
          <tr>
            <th />
            <th scope="col">{text("duckdb.engine")}</th>
            <th scope="col">DuckDB</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{text("duckdb.time")}</th>
            <td>{formatSeconds(engine.milliseconds)}</td>
            <td>{formatSeconds(duckdb.milliseconds)}</td>
          </tr>
          <tr>
            <th scope="row">{text("detail.data")}</th>
            <td>{dataText(engine, "duckdb.files")}</td>
            <td>{dataText(duckdb, "duckdb.partitions")}</td>
          </tr>
        </tbody>
      </table>
      <ol class="duckdb-rows" start={first} aria-label={text("answer.rows")}>
        {duckdb.records.map((record) => (
          <li key={`${record.properties.type} ${record.id}`}>
            <div class="duckdb-row">
              <span dir="auto">{recordTitle(record)}</span>
              <span class="quiet">{metresText(distanceOf(record))}</span>
            </div>
          </li>
        ))}
      </ol>
      <nav class="duckdb-pages" aria-label={text("pager.name")}>
        <Step label={text("pager.previous")} kind="back" isOff={page === 0} onClick={() => void run.run(page - 1)} />
        <span>
          {text("pager.page")} {formatCount(page + 1)} {text("pager.of", { pages })}
        </span>
        <Step
          label={text("pager.next")}
          kind="forward"
          isOff={page + 1 >= pages}
          onClick={() => void run.run(page + 1)}
        />
      </nav>
      {duckdb.total > MOST_KEPT_ROWS ? (
        <p class="quiet">{text("duckdb.tooMany", { most: MOST_KEPT_ROWS })}</p>
      ) : (
        <div class="actions is-start duckdb-save">
          <span>{text("duckdb.save", { count: duckdb.total })}</span>
          {FORMATS.map((format) => (
            <button key={format} type="button" onClick={() => void save(run, found, format)}>
              {text(`export.format.${format}`)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

async function save(run: DuckdbRun, { search }: Found, format: FormatName): Promise<void> {
  const file = await run.save(format);
  if (file) downloadFile(file, `duckdb-${exportFileName(searchWords(search), format)}`);
}

function comparisonText({ comparison, duckdb }: Compared): string {
  switch (comparison.kind) {
    case "same":
      return text("duckdb.same", { rows: comparison.rows, total: comparison.total });
    case "count":
      return text("duckdb.differsCount", { ...comparison.totals });
    case "row": {
      const { engine = "-", duckdb: other = "-" } = comparison.ids;
      return text("duckdb.differsRow", { rank: comparison.rank, engine, duckdb: other, total: duckdb.total });
    }
    case "distance": {
      const { engine, duckdb: other } = comparison.metres;
      return text("duckdb.differsDistance", { rank: comparison.rank, engine: String(engine), duckdb: String(other) });
    }
  }
}

function dataText({ bytes, parts }: Timed, key: "duckdb.files" | "duckdb.partitions"): string {
  return bytes === undefined || parts === undefined ? "" : text(key, { size: formatBytes(bytes), count: parts });
}

function metresText(metres: number | undefined): string {
  return metres === undefined ? "" : formatDistance(metres);
}
