import { useComputed } from "@preact/signals";
import type { Feature } from "../../engine/index.ts";
import type { JoinedRow, OwnFile } from "../../hosts/browser/protocol/index.ts";
import { goToFileRow } from "../files/index.ts";
import { hovered, select } from "../state/index.ts";
import { distanceOf, formatCount, formatDistance, recordSubtitle, recordTitle, text } from "../text/index.ts";

/** Height of a row: two lines of text with padding. */
export const ROW_PIXELS = 56;

interface Place {
  /** Number of the row in the list that is shown, from 0. */
  readonly line: number;
  /** Number of the row among all matches, from 1, for screen readers. */
  readonly position: number;
  readonly total: number;
  readonly topPixels: number;
  /** Whether the Tab key reaches this row. */
  readonly isActive: boolean;
  readonly onActive: () => void;
}

interface ResultItemProps extends Place {
  readonly record: Feature;
  /** Number among all matching records, from 1, as on the map. */
  readonly number: number;
}

/** One record of the list. */
export function ResultItem({ record, number, ...position }: ResultItemProps) {
  const isHovered = useComputed(() => hovered.value === record.id);
  return (
    <Line
      {...position}
      id={record.id}
      number={formatCount(number)}
      title={recordTitle(record)}
      subtitle={recordSubtitle(record)}
      meters={distanceOf(record)}
      isHovered={isHovered.value}
      onClick={() => select(record.id)}
      onPoint={() => {
        hovered.value = record.id;
      }}
      onLeave={() => {
        if (hovered.peek() === record.id) hovered.value = undefined;
      }}
    />
  );
}

interface OwnRowItemProps extends Place {
  readonly row: JoinedRow;
  readonly file: OwnFile;
}

/** A row of the user's file among the records. It has no number, which only records of the dataset have. */
export function OwnRowItem({ row: { file: id, row, title, distanceMeters }, file, ...position }: OwnRowItemProps) {
  const number = text("files.row", { number: row + 1 });
  return (
    <Line
      {...position}
      title={title ?? number}
      subtitle={title === undefined ? file.name : `${file.name} · ${number}`}
      meters={distanceMeters}
      onClick={() => void goToFileRow({ file: id, row })}
    />
  );
}

interface LineProps extends Place {
  readonly id?: string;
  readonly number?: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  readonly meters: number | undefined;
  readonly isHovered?: boolean;
  readonly onClick: () => void;
  readonly onPoint?: () => void;
  readonly onLeave?: () => void;
}

/** A row of the list, placed by its distance from the top, because only visible rows are in the document. */
function Line({ line, position, total, topPixels, isActive, onActive, ...shown }: LineProps) {
  const { id, number, title, subtitle, meters, isHovered, onClick, onPoint, onLeave } = shown;
  return (
    <li
      aria-setsize={total}
      aria-posinset={position}
      style={{ height: `${ROW_PIXELS}px`, transform: `translateY(${topPixels}px)` }}
    >
      <button
        type="button"
        class={id === undefined ? "result is-own" : "result"}
        tabIndex={isActive ? 0 : -1}
        data-id={id}
        data-index={line}
        data-hovered={isHovered}
        onClick={onClick}
        // not on enter: scrolling rows below a still pointer would redraw the map for each
        onPointerMove={onPoint}
        onPointerLeave={onLeave}
        onFocus={() => {
          onActive();
          onPoint?.();
        }}
        onBlur={onLeave}
      >
        <span class="result-number" aria-hidden="true">
          {number}
        </span>
        <span class="result-text">
          <span class="result-title" dir="auto">
            {title}
          </span>
          {subtitle && (
            <span class="result-subtitle" dir="auto">
              {subtitle}
            </span>
          )}
        </span>
        {meters !== undefined && <span class="result-distance">{formatDistance(meters)}</span>}
      </button>
    </li>
  );
}
