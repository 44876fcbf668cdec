import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Feature } from "../../engine/index.ts";
import type { JoinedRow, OwnFile } from "../../hosts/browser/protocol/index.ts";
import { goToFileRow } from "../files/index.ts";
import { hovered, select } from "../state/index.ts";
import { distanceOf, formatCount, formatDistance, recordSubtitle, recordTitle, text } from "../text/index.ts";

/** Two lines of text with air. */
export const ROW_PIXELS = 60;

/** Where a line stands in the list. */
interface LineProps {
  /** On this page, from 0. */
  readonly line: number;
  /** Among all that match, from 1. */
  readonly position: number;
  readonly total: number;
  readonly topPixels: number;
  /** Whether the Tab key comes to this row. */
  readonly isActive: boolean;
  readonly onActive: () => void;
}

interface ResultItemProps extends LineProps {
  readonly record: Feature;
  /** Among all records that match, from 1: the map has it too. */
  readonly number: number;
}

/** One record of the list. */
export function ResultItem({ record, number, ...place }: ResultItemProps) {
  const { line, isActive, onActive } = place;
  const isHovered = useComputed(() => hovered.value === record.id);
  const distance = distanceOf(record);
  const subtitle = recordSubtitle(record);
  const point = () => {
    hovered.value = record.id;
  };
  const leave = () => {
    if (hovered.peek() === record.id) hovered.value = undefined;
  };
  return (
    <Line {...place}>
      <button
        type="button"
        class="result"
        tabIndex={isActive ? 0 : -1}
        data-id={record.id}
        data-index={line}
        data-hovered={isHovered.value}
        onClick={() => select(record.id)}
        // not entering: rows that scroll below a still pointer would have the map drawn anew for each
        onPointerMove={point}
        onPointerLeave={leave}
        onFocus={() => {
          onActive();
          point();
        }}
        onBlur={leave}
      >
        <span class="result-number" aria-hidden="true">
          {formatCount(number)}
        </span>
        <span class="result-text">
          <span class="result-title" dir="auto">
            {recordTitle(record)}
          </span>
          {subtitle && (
            <span class="result-subtitle" dir="auto">
              {subtitle}
            </span>
          )}
        </span>
        {distance !== undefined && <span class="result-distance">{formatDistance(distance)}</span>}
      </button>
    </Line>
  );
}

/** The place in the list, which draws only what is in sight. */
function Line({ position, total, topPixels, children }: LineProps & { readonly children: ComponentChildren }) {
  return (
    <li
      aria-setsize={total}
      aria-posinset={position}
      style={{ height: `${ROW_PIXELS}px`, transform: `translateY(${topPixels}px)` }}
    >
      {children}
    </li>
  );
}

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
