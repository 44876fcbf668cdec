/** The title of the page for tabs, bookmarks and history: the search or the record. @module */
import { effect } from "@preact/signals";
import { isComplete } from "../address/index.ts";
import { categoriesText, whereText } from "../search/index.ts";
import { found, mapSettings, pageState, selected } from "../state/index.ts";
import { foundText, pathText, recordTitle, text } from "../text/index.ts";

/** Keeps the title of the document, also for shared pages, equal to the search or the record. */
export function startTitle(): void {
  effect(() => {
    const title = [...parts(), mapSettings.title ?? text("app.name")].filter(Boolean).join(" · ");
    document.title = title;
    document.querySelector('meta[property="og:title"]')?.setAttribute("content", title);
  });
}

function parts(): readonly string[] {
  const { search } = pageState.value;
  if (selected.value) return [recordTitle(selected.value)];
  if (!search || !isComplete(search)) return [];
  const { name } = search.filters;
  const what =
    categoriesText(search) ??
    (found.value?.search.path === search.path ? foundText(search.path, found.value.total) : pathText(search.path));
  const hasLocation = search.centre ?? search.area ?? search.country;
  return [...(name === undefined ? [] : [`“${name}”`]), what, ...(hasLocation ? [whereText(search)] : [])];
}
