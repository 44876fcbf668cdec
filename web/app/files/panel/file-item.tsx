import { useLayoutEffect, useRef } from "preact/hooks";
import type { FileMatch, OwnFile } from "../../../hosts/browser/protocol/index.ts";
import { formatCount, formatDistance, text } from "../../text/index.ts";
import { ZoomButton } from "../../widgets/index.ts";
import { fileAnswers, goToFileRow, removeFile } from "../index.ts";
import { unaskedText, usesText } from "./column-text.ts";
import { KeepFile } from "./keep-file.tsx";

interface Props {
  readonly file: OwnFile;
  /** The row that takes the focus. */
  readonly returnTo: number | undefined;
}

/** One of the reader's files, with the rows that match. */
export function FileItem({ file, returnTo }: Props) {
  const answer = fileAnswers.value[file.id];
  const { total = 0, matches = [], unasked = [], unplaced = 0 } = answer ?? {};
  return (
    <section class="file-item">
      <header>
        <h3 dir="auto">{file.name}</h3>
        <ZoomButton bbox={file.bbox} />
        <button
          type="button"
          aria-label={text("files.remove", { file: file.name })}
          onClick={() => void removeFile(file)}
        >
          {text("saved.remove")}
        </button>
      </header>
      <p class="quiet">
        {[
          text("console.rows", { count: file.rows }),
          file.leftOut > 0 && text("files.leftOut", { count: file.leftOut }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <KeepFile file={file} />
      <p class="quiet">{text("files.columns", { columns: usesText(file) })}</p>
      {file.otherColumns.length > 0 && (
        <p class="quiet" dir="auto">
          {text("files.otherColumns", { columns: file.otherColumns.join(", ") })}
        </p>
      )}
      <p class="quiet">{text("files.table", { table: file.table })}</p>
      {answer && (
        <p aria-live="polite">
          {text("files.found", { count: total })}
          {total > matches.length && ` · ${text("files.nearest", { shown: formatCount(matches.length) })}`}
        </p>
      )}
      {unasked.length > 0 && <p class="quiet">{text("files.unasked", { filters: unaskedText(unasked) })}</p>}
      {unplaced > 0 && !unasked.includes("country") && (
        <p class="quiet">{text("files.unplaced", { count: unplaced })}</p>
      )}
      <ol class="file-rows" aria-label={text("files.rowsOf", { file: file.name })}>
        {matches.map((match) => (
          <RowButton key={match.row} file={file} match={match} takesFocus={match.row === returnTo} />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly file: OwnFile;
  readonly match: FileMatch;
  readonly takesFocus: boolean;
}

function RowButton({ file, match, takesFocus }: RowProps) {
  const { row, title, distanceMeters } = match;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) button.current?.focus();
  }, []);
  return (
    <li>
      <button ref={button} type="button" onClick={() => void goToFileRow({ file: file.id, row })}>
        <span dir="auto">{title ?? text("files.row", { number: row + 1 })}</span>
        {distanceMeters !== undefined && <span class="result-distance">{formatDistance(distanceMeters)}</span>}
      </button>
    </li>
  );
}
