import { found, isSearching, problem } from "../state/index.ts";
import { formatBytes, text } from "../text/index.ts";
import { engineParts } from "../worker/index.ts";

/** In one line, what is going on. */
export function Status() {
  return (
    <p class="status">
      <LoadingState />
      <span role="status">{statusText()}</span>
    </p>
  );
}

/** Megabytes as they come: to be seen, not to be read aloud. */
function LoadingState() {
  const reader = engineParts.reader.value;
  if (reader?.state !== "loading" || problem.value) return null;
  const received = formatBytes(reader.receivedBytes);
  return <span class="quiet">{text("status.engine", { received, total: formatBytes(reader.totalBytes) })} </span>;
}

function statusText(): string {
  if (problem.value) return text("status.problem");
  if (isSearching.value) return text("status.searching");
  if (!found.value) return "";
  const { total, search } = found.value;
  return text(`found.${search.path}`, { count: total });
}
