import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MAX_ORDERED_ROWS } from "../../../data/format/limits.ts";
import { isByRelevance, sortsOf } from "../address/index.ts";
import { joinedRows, ownFiles } from "../files/index.ts";
import { changeSearch, found, hasTools, isSearching, openPanel, pageState, problem } from "../state/index.ts";
import { formatBytes, foundText, text } from "../text/index.ts";
import { engineParts, receivedBytes } from "../worker/index.ts";
import { WhereClicked } from "./nearest.tsx";
import { sortText } from "./sort-text.ts";

/** Time after which received bytes are shown. A faster answer needs no progress. */
const PATIENCE_MS = 1000;

/**
 * A line that says what was found or is going on; then the address that the user clicked, and a button for the user's own files.
 */
export function Status() {
  return (
    <>
      <div class="status">
        <div class="status-lines">
          <span role="status">{statusText()}</span>
          <LoadingState />
        </div>
        <SortChoice />
        <ExportButton />
      </div>
      <WhereClicked />
      {ownFiles.value.length > 0 && (
        <button type="button" class="file-matches" onClick={() => openPanel("files")}>
          {text("panel.files")}
        </button>
      )}
    </>
  );
}

/** Received bytes. Screen readers do not announce them. */
function LoadingState() {
  const reader = engineParts.reader.value;
  if (problem.value || !isSearching.value) return null;
  if (reader?.state === "loading") {
    const received = formatBytes(reader.receivedBytes);
    return <span class="quiet">{text("status.engine", { received, total: formatBytes(reader.totalBytes) })}</span>;
  }
  return <ReceivedData />;
}

function ReceivedData() {
  const before = useSignal(receivedBytes.peek());
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isSlow.value = true;
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const bytes = receivedBytes.value - before.value;
  if (!isSlow.value || bytes === 0) return null;
  return <span class="quiet">{text("status.received", { received: formatBytes(bytes) })}</span>;
}

function statusText(): string {
  if (problem.value) return text("status.problem");
  if (isSearching.value) return text("status.searching");
  if (!found.value) return "";
  const { total, search } = found.value;
  const records = foundText(search.path, total);
  const rows = joinedRows(found.value).total;
  return rows === 0 ? records : text("found.withRows", { found: records, count: rows });
}

function ExportButton() {
  if (!hasTools || !found.value || found.value.alone || found.value.total === 0) return null;
  return (
    <button type="button" class="export-button" aria-haspopup="dialog" onClick={() => openPanel("export")}>
      {text("panel.export")}
    </button>
  );
}

/** Selects the order of the results. If there are too many matches to sort, the orders are disabled and say the limit. */
function SortChoice() {
  const { search, total = 0, alone, report } = found.value ?? {};
  if (!search || alone || pageState.value.record !== undefined) return null;
  const { path, sort, centre, area } = search;
  const sorts = sortsOf(path);
  if (total < 2 || sorts.length === 0) return null;
  const isTooMany = total > MAX_ORDERED_ROWS;
  const isRelevant = !isTooMany && isByRelevance({ ...search, sort: undefined });
  return (
    <label class="sort">
      <span class="visually-hidden">{text("sort.label")}</span>
      <select
        value={(report?.isOrdered && sort) || ""}
        onChange={({ currentTarget: { value } }) => {
          changeSearch({ sort: sorts.find((known) => known === value) });
        }}
      >
        <option value="">
          {text((centre ?? area) ? "sort.distance" : isRelevant ? "sort.relevance" : "sort.none")}
        </option>
        {sorts.map((known) => {
          const order = sortText(path, known);
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
