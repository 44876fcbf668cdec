/** The colours of the reference: those chosen on the map's page, else the system's. @module */

/** Where the map's page keeps the choice. */
const THEME_KEY = "cairn-theme";

export function followTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const theme = chosen();
    // the class is Swagger's own
    document.documentElement.classList.toggle("dark-mode", theme === "system" ? system.matches : theme === "dark");
  };
  system.addEventListener("change", show);
  addEventListener("storage", show);
  show();
}

/** Storage may be forbidden. */
function chosen(): string {
  try {
    return localStorage.getItem(THEME_KEY) ?? "system";
  } catch {
    return "system";
  }
}
