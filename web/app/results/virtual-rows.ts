/** A list of rows of equal height. Only visible rows are in the document. @module */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { offsetWithin, scrollerOf } from "../widgets/index.ts";
import { ROW_PIXELS } from "./result-item.tsx";

/** Maximum length of a list that is completely in the document, so that the browser's find and print see it. */
const MOST_WHOLE_ROWS = 100;
/** Rows beyond either edge that are drawn too, for fast scrolling. */
const OVERSCAN_ROWS = 8;

interface VirtualRowsOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Index of a row that stays in the document while scrolling: the one that Tab reaches. */
  readonly keptIndex: number;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;

/** Returns the rows to draw, by the scroll position of the nearest scrolling ancestor, and functions to scroll. */
export function useVirtualRows({ list, count, keptIndex }: VirtualRowsOptions) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const isWhole = count <= MOST_WHOLE_ROWS;
  /** Width of the scrolling element, in CSS pixels, when the list's position in it was last measured. */
  const measured = useRef<number | undefined>(undefined);
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings(0)));

  function settings(scrollMargin: number) {
    return {
      count,
      getScrollElement: () => scrollerOf(list.current),
      estimateSize: () => ROW_PIXELS,
      scrollToFn: elementScroll<HTMLElement>,
      observeElementRect: observeElementRect<HTMLElement>,
      observeElementOffset: observeElementOffset<HTMLElement>,
      onChange: () => {
        if (!isWhole) redraw();
        else if (virtualizer.scrollRect?.width !== measured.current) measure();
      },
      overscan: OVERSCAN_ROWS,
      scrollMargin,
      rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const inSight = defaultRangeExtractor(range);
        return inSight.includes(keptIndex) || keptIndex >= count
          ? inSight
          : [...inSight, keptIndex].sort((a, b) => a - b);
      },
    };
  }

  function measure() {
    measured.current = virtualizer.scrollRect?.width;
    virtualizer.setOptions(settings(offsetWithin(list.current, scrollerOf(list.current))));
  }

  virtualizer.setOptions(settings(virtualizer.options.scrollMargin));
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  const width = virtualizer.scrollRect?.width;
  // Measuring needs a layout, and the content above the list changes only with these.
  useLayoutEffect(() => {
    measure();
    if (!isWhole) redraw();
  }, [virtualizer, count, width]);
  useLayoutEffect(() => virtualizer._willUpdate());

  const { scrollMargin } = virtualizer.options;
  return {
    /** Indexes of rows, with their distance in pixels from the top of the list. */
    rows: isWhole
      ? Array.from({ length: count }, (_, index) => ({ index, topPixels: index * ROW_PIXELS }))
      : virtualizer.getVirtualItems().map(({ index, start }) => ({ index, topPixels: start - scrollMargin })),
    totalPixels: virtualizer.getTotalSize(),
    bringIntoView: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
    rowsInView: () => Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? ROW_PIXELS) / ROW_PIXELS) - 1),
  };
}
