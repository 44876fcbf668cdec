/** Theme, palette of the base map and language, stored in the browser. @module */
import { computed, effect, signal } from "@preact/signals";
import { type Language, language, locale, speak } from "../text/index.ts";
import { mapSettings, offeredLanguages } from "./map-settings.ts";
import { readStored, store } from "./stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const BASE_MAPS = ["full", "muted"] as const;
type BaseMap = (typeof BASE_MAPS)[number];

const THEME_KEY = "cairn-theme";
const BASE_MAP_KEY = "cairn-base-map";
const LANGUAGE_KEY = "cairn-language";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
const chosenTheme = signal(kept(THEME_KEY, THEMES));
const chosenBaseMap = signal(kept(BASE_MAP_KEY, BASE_MAPS));

/** The theme that the user chose; `system` follows the system. */
export const theme = computed(() => chosenTheme.value);
export const isDark = computed(() => (theme.value === "system" ? isSystemDark.value : theme.value === "dark"));

/** The colours of the base map: `muted` is grey, so that results are easier to see. */
export const baseMap = computed(() => chosenBaseMap.value);

/** Sets the colours of the base map, and stores them. */
export function chooseBaseMap(next: BaseMap): void {
  chosenBaseMap.value = next;
  store(BASE_MAP_KEY, next);
}

/** Sets the theme, and stores it. */
export function chooseTheme(next: Theme): void {
  chosenTheme.value = next;
  store(THEME_KEY, next);
}

/** A language whose messages could not be loaded; undefined once another try succeeds. */
export const lostLanguage = signal<Language | undefined>(undefined);

/**
 * Switches to the language and stores it. If it cannot be loaded, the page keeps the present one, and the language is in
 * `lostLanguage`.
 */
export async function chooseLanguage(next: Language): Promise<void> {
  if (await load(next)) store(LANGUAGE_KEY, next);
}

async function load(next: Language): Promise<boolean> {
  lostLanguage.value = undefined;
  try {
    await speak(next);
    return true;
  } catch {
    lostLanguage.value = next;
    return false;
  }
}

/**
 * Applies theme, colours and language to the document now and at changes. Resolves when the user's language is loaded, or could
 * not be loaded and the page is English.
 */
export async function startPreferences(): Promise<void> {
  systemDark.addEventListener("change", ({ matches }) => {
    isSystemDark.value = matches;
  });
  effect(() => {
    const root = document.documentElement;
    const scheme = isDark.value ? "dark" : "light";
    root.dataset.theme = scheme;
    if (mapSettings.colors) root.style.setProperty("--accent", mapSettings.colors[scheme]);
    const { backgroundColor } = getComputedStyle(document.body);
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = backgroundColor;
    }
  });
  effect(() => {
    document.documentElement.lang = locale.value;
    document.documentElement.dir = language.value === "ar" ? "rtl" : "ltr";
  });
  await load(preferredLanguage());
}

function preferredLanguage(): Language {
  const wished = [readStored(LANGUAGE_KEY), ...navigator.languages].map((code) => code?.split("-")[0]);
  return offeredLanguages.find((code) => code === wished.find(isOffered)) ?? offeredLanguages[0] ?? "en";
}

function isOffered(code: string | undefined): boolean {
  return offeredLanguages.some((known) => known === code);
}

function kept<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  return choices.find((known) => known === readStored(key)) ?? choices[0];
}
