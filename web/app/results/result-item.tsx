import { useComputed } from "@preact/signals";
import type { Feature } from "../../engine/index.ts";
import type { JoinedRow, OwnFile } from "../../hosts/browser/protocol/index.ts";
import { goToFileRow } from "../files/index.ts";
import { hovered, select } from "../state/index.ts";
import { distanceOf, formatCount, formatDistance, recordSubtitle, recordTitle, text } from "../text/index.ts";

/** Two lines of text with padding. */
export const ROW_PIXELS = 56;

interface Place {
  /** On this page, from 0. */
  readonly line: number;
  /** Among all matches, from 1. */
  readonly position: number;
  readonly total: number;
  readonly topPixels: number;
  /** Whether this row is in the Tab order. */
  readonly isActive: boolean;
  readonly onActive: () => void;
}

interface ResultItemProps extends Place {
  readonly record: Feature;
  /** Among all matching records, from 1, as on the map. */
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

/** A row of the user's file among the records. It has no number: only the dataset's records have one. */
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

/** A line at its position in the list, which draws only visible lines. */
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
