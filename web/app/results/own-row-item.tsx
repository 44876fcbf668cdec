import type { JoinedRow, OwnFile } from "../../hosts/browser/protocol/index.ts";
import { goToFileRow } from "../files/index.ts";
import { formatDistance, text } from "../text/index.ts";
import { Line, type LineProps } from "./result-item.tsx";

interface OwnRowItemProps extends LineProps {
  readonly row: JoinedRow;
  readonly file: OwnFile;
}

/** A row of the reader's own file, among the records. It has no number: those are the dataset's. */
export function OwnRowItem({ row, file, ...place }: OwnRowItemProps) {
  const { line, isActive, onActive } = place;
  const { title, distanceMeters } = row;
  const number = text("files.row", { number: row.row + 1 });
  return (
    <Line {...place}>
      <button
        type="button"
        class="result is-own"
        tabIndex={isActive ? 0 : -1}
        data-index={line}
        onClick={() => void goToFileRow({ file: row.file, row: row.row })}
        onFocus={onActive}
      >
        <span class="result-number" aria-hidden="true" />
        <span class="result-text">
          <span class="result-title" dir="auto">
            {title ?? number}
          </span>
          <span class="result-subtitle" dir="auto">
            {title === undefined ? file.name : `${file.name} · ${number}`}
          </span>
        </span>
        {distanceMeters !== undefined && <span class="result-distance">{formatDistance(distanceMeters)}</span>}
      </button>
    </Line>
  );
}
