import { computed, effect } from "@preact/signals";
import { categoryNames, language } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { dataset, isSearching } from "./session.ts";

/** Has categories told in the reader's language, once nobody waits for an answer. Overture's own words are English. */
export function startCategoryNames(): void {
  const wanted = computed(() => (dataset.value && !isSearching.value ? language.value : undefined));
  let had = "en";
  effect(() => {
    const next = wanted.value;
    if (next === undefined || next === had) return;
    had = next;
    const names = next === "en" ? Promise.resolve(new Map<string, string>()) : remote("categoryNames", next);
    names.then(
      (known) => {
        if (had === next) categoryNames.value = known;
      },
      // they keep their own words
      () => {},
    );
  });
}
