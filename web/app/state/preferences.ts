/** Theme, palette of the base map and language, stored in the browser. @module */
import { computed, effect, signal } from "@preact/signals";
import { mapSettings } from "../settings/map-settings.ts";
import { readStored, store } from "../settings/stored.ts";
import {
  type BaseMap,
  storeBaseMap,
  storedBaseMap,
  storedTheme,
  storeTheme,
  type Theme,
} from "../settings/stored-theme.ts";
import { LANGUAGES, type Language, language, locale, speak } from "../text/index.ts";

const LANGUAGE_KEY = "cairn-language";

/** Languages of the page. The first is used if the user knows none of them. */
export const offeredLanguages: readonly Language[] = mapSettings.languages ?? LANGUAGES;

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
const chosenTheme = signal(storedTheme());
const chosenBaseMap = signal(storedBaseMap());

/** The theme that the user chose; `system` follows the system. */
export const theme = computed(() => chosenTheme.value);
export const isDark = computed(() => (theme.value === "system" ? isSystemDark.value : theme.value === "dark"));

/** The colours of the base map: `muted` is grey, so that results are easier to see. */
export const baseMap = computed(() => chosenBaseMap.value);

/** Sets the colours of the base map, and stores them. */
export function chooseBaseMap(next: BaseMap): void {
  chosenBaseMap.value = next;
  storeBaseMap(next);
}

/** Sets the theme, and stores it. */
export function chooseTheme(next: Theme): void {
  chosenTheme.value = next;
  storeTheme(next);
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
