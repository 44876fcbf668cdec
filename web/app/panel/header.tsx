import { engineParts } from "../state/engine.ts";
import { found, isSearching, problem } from "../state/session.ts";
import { formatCount, formatMegabytes } from "../text/numbers.ts";
import { PATH_TEXT } from "../text/paths.ts";

/** The name, and in one line what is going on. */
export function Header() {
  return (
    <header class="panel-header">
      <h1>
        <img src="./icon.svg" alt="" width="24" height="24" />
        <a class="brand" href="#/">
          Cairn
        </a>
      </h1>
      <p class="status">
        <LoadingState />
        <span role="status">{statusText()}</span>
      </p>
    </header>
  );
}

/** Megabytes as they come: to be seen, not to be read aloud. */
function LoadingState() {
  const reader = engineParts.reader.value;
  if (reader?.state !== "loading" || problem.value) return null;
  return (
    <span class="quiet">
      Engine {formatMegabytes(reader.receivedBytes)} of {formatMegabytes(reader.totalBytes)} MB{" "}
    </span>
  );
}

function statusText(): string {
  if (problem.value) return "No answer";
  if (isSearching.value) return "Searching…";
  if (!found.value) return "";
  const { total, search } = found.value;
  const { one, many } = PATH_TEXT[search.path];
  return total === 1 ? `1 ${one} found` : `${formatCount(total)} ${many} found`;
}
