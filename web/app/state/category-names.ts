import { computed, effect } from "@preact/signals";
import { categoryNames, language } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { dataset, isSearching } from "./session.ts";

/**
 * Loads the names of categories in the user's language after a search. For English there is nothing to load. After a failure they
 * are requested again after the next search.
 */
export function startCategoryNames(): void {
  const wanted = computed(() => (dataset.value && !isSearching.value ? language.value : undefined));
  let asked = "en";
  effect(() => {
    const next = wanted.value;
    if (next === undefined || next === asked) return;
    asked = next;
    const none: ReadonlyMap<string, string> = new Map();
    const asking = next === "en" ? Promise.resolve(none) : remote("categoryNames", next).catch(() => none);
    void asking.then((names) => {
      if (asked !== next) return;
      categoryNames.value = names;
      if (names.size === 0) asked = "en";
    });
  });
}
