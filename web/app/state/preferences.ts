/** Theme, the map's ground and language, kept in the browser. @module */
import { computed, effect, signal } from "@preact/signals";
import { type Language, language, locale, speak } from "../text/index.ts";
import { mapSettings, offeredLanguages } from "./map-settings.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const GROUNDS = ["full", "muted"] as const;
export type Ground = (typeof GROUNDS)[number];

const THEME_KEY = "cairn-theme";
const GROUND_KEY = "cairn-ground";
const LANGUAGE_KEY = "cairn-language";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
const chosenTheme = signal(kept(THEME_KEY, THEMES));
const chosenGround = signal(kept(GROUND_KEY, GROUNDS));

/** What was chosen; `system` follows the system. */
export const theme = computed(() => chosenTheme.value);
/** What that comes to at the moment. */
export const isDark = computed(() => (theme.value === "system" ? isSystemDark.value : theme.value === "dark"));

/** The map's colours: `muted` leaves them to what was searched. */
export const ground = computed(() => chosenGround.value);

export function chooseGround(next: Ground): void {
  chosenGround.value = next;
  write(GROUND_KEY, next);
}

export function chooseTheme(next: Theme): void {
  chosenTheme.value = next;
  write(THEME_KEY, next);
}

/** Rejects when the language cannot be loaded; the page then stays in the one it has. */
export async function chooseLanguage(next: Language): Promise<void> {
  await speak(next);
  write(LANGUAGE_KEY, next);
}

/** Makes the document follow the preferences. Resolves when the reader's language is there, English where it cannot be had. */
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
  await speak(preferredLanguage()).catch(() => {});
}

function preferredLanguage(): Language {
  const wished = [read(LANGUAGE_KEY), ...navigator.languages].map((code) => code?.split("-")[0]);
  return offeredLanguages.find((code) => code === wished.find(isOffered)) ?? offeredLanguages[0] ?? "en";
}

function isOffered(code: string | undefined): boolean {
  return offeredLanguages.some((known) => known === code);
}

/** What was chosen; the first until something was. */
function kept<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  return choices.find((known) => known === read(key)) ?? choices[0];
}

/** Storage may be forbidden or full: preferences then last as long as the page. */
function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // see `read`
  }
}
