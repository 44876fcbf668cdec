import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { joinedRows, ownFiles } from "../files/index.ts";
import { found, isSearching, openPanel, problem } from "../state/index.ts";
import { formatBytes, text } from "../text/index.ts";
import { engineParts, receivedBytes } from "../worker/index.ts";
import { WhereClicked } from "./nearest.tsx";
import { SortChoice } from "./sort-choice.tsx";

/** An answer that is here by then needs no word on what comes. */
const PATIENCE_MS = 1000;

/** In one line, what is going on; then where the reader has clicked, and the way to the reader's own files. */
export function Status() {
  return (
    <>
      <div class="status">
        <LoadingState />
        <span role="status">{statusText()}</span>
        <SortChoice />
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

/** Bytes as they come: to be seen, not to be read aloud. */
function LoadingState() {
  const reader = engineParts.reader.value;
  if (problem.value) return null;
  if (reader?.state === "loading") {
    const received = formatBytes(reader.receivedBytes);
    return <span class="quiet">{text("status.engine", { received, total: formatBytes(reader.totalBytes) })} </span>;
  }
  return isSearching.value ? <ReceivedData /> : null;
}

/** How much of the map data has come since the search began. */
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
  return <span class="quiet">{text("status.received", { received: formatBytes(bytes) })} </span>;
}

function statusText(): string {
  if (problem.value) return text("status.problem");
  if (isSearching.value) return text("status.searching");
  if (!found.value) return "";
  const { total, search } = found.value;
  const records = text(`found.${search.path}`, { count: total });
  const rows = joinedRows(found.value).total;
  return rows === 0 ? records : text("found.withRows", { found: records, count: rows });
}
