import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { MAX_ORDERED_ROWS } from "../../../data/format/limits.ts";
import { restAddress } from "../address/index.ts";
import { joinedRows, linesOfPage, ownFiles } from "../files/index.ts";
import {
  type Found,
  firstNumberOf,
  hovered,
  indexOf,
  isSearching,
  listedUntil,
  moreState,
  pageState,
  rememberedPosition,
  rememberPosition,
  search,
  showMore,
} from "../state/index.ts";
import { text } from "../text/index.ts";
import { scrollerOf } from "../widgets/index.ts";
import { savesData } from "../worker/index.ts";
import { NothingFound } from "./empty-state.tsx";
import { OwnRowItem, ResultItem } from "./result-item.tsx";
import { sortText } from "./sort-text.ts";
import { useVirtualRows, type VirtualRows } from "./virtual-rows.ts";

/** The results, in the order of their numbers on the map. */
export function ResultList({ found }: { found: Found }) {
  const { search: asked, total } = found;
  const first = asked.page * asked.limit;
  const joined = joinedRows(found);
  // a signal, so that the start of a search redraws no row
  const look = useComputed(() => (isSearching.value ? "results is-stale" : "results"));
  if (total === 0 && joined.total === 0) return <NothingFound search={asked} />;
  return (
    <div class={look}>
      {first > 0 && <FromTheStart found={found} />}
      {asked.sort && !found.report?.isOrdered && (
        <p class="hint">{text("sort.most", { order: sortText(asked.path, asked.sort), count: MAX_ORDERED_ROWS })}</p>
      )}
      {found.open && <OpenNote open={found.open} />}
      <Rows key={restAddress(asked)} found={found} first={first} />
      {joined.left > 0 && <p class="hint">{text("results.moreRows", { count: joined.left })}</p>}
      <More found={found} />
    </div>
  );
}

/** Offers the first page, if the URL made the list start at a later one. */
function FromTheStart({ found }: { found: Found }) {
  const { search: asked, total } = found;
  return (
    <div class="list-start">
      <span class="quiet">
        {text("results.range", { first: firstNumberOf(found), last: listedUntil(found), total })}
      </span>
      <button type="button" onClick={() => search({ ...asked, page: 0 })}>
        {text("pager.first")}
      </button>
    </div>
  );
}

/** Reads the next page before the user reaches the end of the list; if the user saves data, only on request. */
function More({ found }: { found: Found }) {
  const end = useRef<HTMLDivElement>(null);
  const until = listedUntil(found);
  const isFailed = moreState.value === "failed";
  useEffect(() => {
    if (!end.current || savesData() || isFailed) return undefined;
    const root = scrollerOf(end.current);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void showMore(), {
      root: root === document.documentElement ? null : root,
      rootMargin: "0px 0px 600px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [until, isFailed]);
  if (until >= found.total) return null;
  return (
    <div class="list-more" ref={end}>
      {isFailed && <p role="alert">{text("results.moreFailed")}</p>}
      <button type="button" onClick={() => void showMore()} aria-busy={moreState.value === "reading"}>
        {text("results.more", { shown: until, total: found.total })}
      </button>
    </div>
  );
}

/** Says if too many records match to filter those that are open, or how many have hours that were not understood. */
function OpenNote({ open: { isApplied, unread } }: { open: NonNullable<Found["open"]> }) {
  if (!isApplied)
    return <p class="hint">{text("sort.most", { order: text("hours.openNow"), count: MAX_ORDERED_ROWS })}</p>;
  return unread > 0 ? <p class="hint">{text("hours.unread", { count: unread })}</p> : null;
}

/** The list itself. One row is reached by Tab; arrow keys move the focus to others. */
function Rows({ found, first }: { found: Found; first: number }) {
  const { records } = found;
  const joined = joinedRows(found);
  const { rows } = joined;
  const { count, entryAt, lineOf } = useMemo(() => linesOfPage(found, rows), [found, rows]);
  const list = useRef<HTMLOListElement>(null);
  const [active, setActive] = useState(() => lineOf(rememberedPosition(found)?.index ?? 0));
  /** Row that gets the focus as soon as it is drawn. */
  const wanted = useRef<number | undefined>(undefined);
  const keptIndex = Math.min(active, count - 1);
  const view = useVirtualRows({ list, count, keptIndex });

  useReturn(found, { list, view, lineOf });
  useSignalEffect(() => {
    const id = hovered.value;
    // A row under the pointer is visible, and the list must not move under it.
    if (id === undefined || list.current?.matches(":hover, :focus-within")) return;
    const index = indexOf(found, id);
    if (index !== undefined) view.bringIntoView(lineOf(index));
  });
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    buttonOf(list.current, wanted.current)?.focus({ preventScroll: true });
    wanted.current = undefined;
  });

  const move = (index: number) => {
    const target = Math.max(0, Math.min(count - 1, index));
    wanted.current = target;
    setActive(target);
    view.bringIntoView(target);
  };
  return (
    <ol
      class="result-list"
      ref={list}
      aria-label={text("results.list")}
      start={first + joined.before + 1}
      style={{ height: `${view.totalPixels}px` }}
      onKeyDown={(event) => {
        const target = targetOf(event.key, keptIndex, view.rowsInView(), count);
        if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        move(target);
      }}
    >
      {view.rows.map(({ index: line, topPixels }) => {
        const entry = entryAt(line);
        const record = entry?.kind === "record" ? records[entry.index] : undefined;
        const position = {
          line,
          position: first + joined.before + line + 1,
          total: found.total + joined.total,
          topPixels,
          isActive: line === keptIndex,
          onActive: () => setActive(line),
        };
        if (entry?.kind === "row") {
          const { row } = entry;
          const file = ownFiles.value.find(({ id }) => id === row.file);
          return file && <OwnRowItem key={`${row.file} ${row.row}`} row={row} file={file} {...position} />;
        }
        if (!entry || !record) return null;
        return <ResultItem key={record.id} record={record} number={first + entry.index + 1} {...position} />;
      })}
    </ol>
  );
}

interface ListView {
  readonly list: { readonly current: HTMLOListElement | null };
  readonly view: VirtualRows;
  readonly lineOf: (index: number) => number;
}

/** After a record was shown, restores the scroll position and puts the focus on that record. Another list starts at its top. */
function useReturn(found: Found, { list, view, lineOf }: ListView): void {
  const scroller = () => scrollerOf(list.current);
  useSignalEffect(() => {
    if (pageState.value.record === undefined) return;
    rememberPosition(found, { scrollTop: scroller()?.scrollTop ?? 0 });
  });
  useLayoutEffect(() => {
    const left = rememberedPosition(found);
    scroller()?.scrollTo({ top: left?.scrollTop ?? 0 });
    if (!left?.isLeft) return undefined;
    const returning = requestAnimationFrame(() => {
      rememberPosition(found, { isLeft: false });
      view.bringIntoView(lineOf(left.index));
      buttonOf(list.current, lineOf(left.index))?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(returning);
  }, [found.search]);
}

function buttonOf(list: HTMLOListElement | null, index: number): HTMLButtonElement | null {
  return list?.querySelector<HTMLButtonElement>(`button[data-index="${index}"]`) ?? null;
}

/** Returns the index of the row that a key leads to; undefined for other keys. */
function targetOf(key: string, index: number, rowsInView: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return index + 1;
    case "ArrowUp":
      return index - 1;
    case "PageDown":
      return index + rowsInView;
    case "PageUp":
      return index - rowsInView;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
