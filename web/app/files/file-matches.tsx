import { openPanel } from "../state/index.ts";
import { text } from "../text/index.ts";
import { fileAnswers, ownFiles } from "./own-files.ts";

/** How many rows of the reader's own files match, beside the count of the dataset's; leads to them. */
export function FileMatches() {
  if (ownFiles.value.length === 0) return null;
  const count = ownFiles.value.reduce((sum, { id }) => sum + (fileAnswers.value[id]?.total ?? 0), 0);
  return (
    <button type="button" class="file-matches" onClick={() => openPanel("files")}>
      {text("files.matches", { count, files: ownFiles.value.length })}
    </button>
  );
}
