/**
 * Whether the page is dark at the moment: by the reader's choice, which the document carries, else by the system's.
 * @module
 */
import { signal } from "@preact/signals";

const system = matchMedia("(prefers-color-scheme: dark)");

export const isDark = signal(isPageDark());

const look = () => {
  isDark.value = isPageDark();
};
system.addEventListener("change", look);
new MutationObserver(look).observe(document.documentElement, { attributeFilter: ["data-theme"] });

function isPageDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme === undefined && system.matches);
}
