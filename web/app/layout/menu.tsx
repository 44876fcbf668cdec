import { useRef } from "preact/hooks";
import { chooseLanguage, chooseTheme, found, openPanel, PANEL_NAMES, THEMES, theme } from "../state/index.ts";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, language, text } from "../text/index.ts";

/** What is not needed for every search: the panels, the reference, language and theme. */
export function Menu() {
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget="menu"
        aria-haspopup="dialog"
        aria-label={text("menu.open")}
      >
        <span class="icon is-menu" />
      </button>
      <div class="menu" id="menu" popover="auto" role="dialog" aria-label={text("menu.open")} ref={menu}>
        <ul>
          {PANEL_NAMES.map((name) => (
            <li key={name}>
              <button
                type="button"
                disabled={name === "export" && !found.value?.total}
                onClick={() => {
                  // First, so that the focus comes back to the menu's button when the panel closes.
                  menu.current?.hidePopover();
                  openPanel(name);
                }}
              >
                {text(`panel.${name}`)}
              </button>
            </li>
          ))}
          <li>
            <a href="./docs/" target="_blank" rel="noopener">
              {text("menu.reference")}
            </a>
          </li>
        </ul>
        <LanguageChoice />
        <ThemeChoice />
      </div>
    </>
  );
}

function LanguageChoice() {
  return (
    <label class="field">
      <span>{text("menu.language")}</span>
      <select
        value={language.value}
        onChange={(event) => {
          const { currentTarget } = event;
          if (!isLanguage(currentTarget.value)) return;
          chooseLanguage(currentTarget.value).catch(() => {
            currentTarget.value = language.value;
          });
        }}
      >
        {LANGUAGES.map((code) => (
          <option key={code} value={code} lang={code}>
            {LANGUAGE_NAMES[code]}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeChoice() {
  return (
    <fieldset class="segments">
      <legend>{text("menu.theme")}</legend>
      {THEMES.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            class="visually-hidden"
            checked={theme.value === name}
            onChange={() => chooseTheme(name)}
          />
          {text(`menu.theme.${name}`)}
        </label>
      ))}
    </fieldset>
  );
}
