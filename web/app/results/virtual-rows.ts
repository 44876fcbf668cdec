/** A list of rows of equal height: only those in view are in the document. @module */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";
import { offsetWithin, scrollerOf } from "../widgets/index.ts";
import { ROW_PIXELS } from "./result-item.tsx";

/** Shorter lists stand whole in the document, so that the browser's own search and print see them. */
const MOST_WHOLE_ROWS = 100;
/** Rows beyond either edge, for fast scrolling. */
const OVERSCAN_ROWS = 8;
/** The bar with counts stays at the upper edge of the list, the pager at the lower one. */
const BAR_PIXELS = 52;

export interface VirtualRowsOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly count: number;
  /** A row that stays in the document wherever the list is scrolled to: the one that can have the focus. */
  readonly keptIndex: number;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;

/** The rows to draw. The list's nearest ancestor that scrolls is followed. */
export function useVirtualRows({ list, count, keptIndex }: VirtualRowsOptions) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings(0)));

  function settings(scrollMargin: number) {
    return {
      count,
      getScrollElement: () => scrollerOf(list.current),
      estimateSize: () => ROW_PIXELS,
      scrollToFn: elementScroll<HTMLElement>,
      observeElementRect: observeElementRect<HTMLElement>,
      observeElementOffset: observeElementOffset<HTMLElement>,
      onChange: () => redraw(),
      overscan: OVERSCAN_ROWS,
      scrollMargin,
      scrollPaddingStart: BAR_PIXELS,
      scrollPaddingEnd: BAR_PIXELS,
      rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        if (count <= MOST_WHOLE_ROWS) return Array.from({ length: count }, (_, index) => index);
        const inSight = defaultRangeExtractor(range);
        return inSight.includes(keptIndex) || keptIndex >= count
          ? inSight
          : [...inSight, keptIndex].sort((a, b) => a - b);
      },
    };
  }

  virtualizer.setOptions(settings(virtualizer.options.scrollMargin));
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  const width = virtualizer.scrollRect?.width;
  // To measure takes a layout, and what is above the list changes with these alone.
  useLayoutEffect(() => {
    virtualizer.setOptions(settings(offsetWithin(list.current, scrollerOf(list.current))));
    redraw();
  }, [virtualizer, count, width]);
  useLayoutEffect(() => virtualizer._willUpdate());

  const { scrollMargin } = virtualizer.options;
  return {
    /** `topPixels` from the top of the list. */
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, topPixels: start - scrollMargin })),
    totalPixels: virtualizer.getTotalSize(),
    /** Scrolls no further than needed. */
    bringIntoView: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
    /** How many rows are seen at once. */
    rowsInView: () => Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? ROW_PIXELS) / ROW_PIXELS) - 1),
  };
}
