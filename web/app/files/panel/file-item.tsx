import { useLayoutEffect, useRef } from "preact/hooks";
import { FILTERS, type FilterName, filterNamed } from "../../../../data/format/filters.ts";
import type { FileMatch, OwnFile } from "../../../hosts/browser/protocol/index.ts";
import { formatBytes, formatCount, formatDistance, text } from "../../text/index.ts";
import { ZoomButton } from "../../widgets/index.ts";
import {
  declineToKeep,
  fileAnswers,
  forgetFile,
  goToFileRow,
  type Keeping,
  keepFile,
  keeping,
  removeFile,
} from "../index.ts";

interface Props {
  readonly file: OwnFile;
  readonly returnTo: number | undefined;
}

/** One of the user's files, with the matching rows. */
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

/** The searched properties with the columns of the file: `Name (titel), Country (cc)`. */
function usesText({ columns }: OwnFile): string {
  return columns.map(({ use, names }) => `${useText(use)} (${names.join(", ")})`).join(", ") || "–";
}

function unaskedText(uses: readonly string[]): string {
  return uses.map(useText).join(", ");
}

function useText(use: string): string {
  if (use === "country") return text("where.country");
  const names = Object.keys(FILTERS) as FilterName[];
  const name = names.find((one) => {
    const filter = filterNamed(one);
    return "column" in filter ? filter.column === use : filter.facet === use;
  });
  return name === undefined ? use : text(`filter.${name}`);
}

function KeepFile({ file }: { file: OwnFile }) {
  const state = keeping.value[file.id];
  const fault = state && faultText(state);
  return (
    <div class="file-keep">
      {fault !== undefined && <p role="alert">{fault}</p>}
      <Question file={file} state={state} />
    </div>
  );
}

function Question({ file, state }: { file: OwnFile; state: Keeping | undefined }) {
  const keep = (
    <button type="button" onClick={() => void keepFile(file)}>
      {text("files.keep")}
    </button>
  );
  if (state?.kind === "keeping") return <p aria-live="polite">{text("files.keeping", { file: file.name })}</p>;
  if (file.isKept)
    return (
      <div class="file-kept">
        <p aria-live="polite">{text("files.kept")}</p>
        <button type="button" onClick={() => void forgetFile(file)}>
          {text("files.forget")}
        </button>
      </div>
    );
  if (state?.kind === "declined")
    return (
      <div class="file-kept">
        <p aria-live="polite">{text("files.notKept")}</p>
        {keep}
      </div>
    );
  return (
    <>
      <p>{text("files.keepAsk")}</p>
      <div class="actions is-start">
        {keep}
        <button type="button" onClick={() => declineToKeep(file)}>
          {text("files.keepNot")}
        </button>
      </div>
    </>
  );
}

function faultText(state: Keeping): string | undefined {
  if (state.kind === "failed") return text("saved.failed", { reason: state.message });
  if (state.kind !== "stopped") return undefined;
  const { result } = state;
  return result.kind === "full"
    ? text("files.full", { needed: formatBytes(result.neededBytes) })
    : text("files.keepForbidden");
}
