import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { SavedAreasBadge } from "../saved-areas/index.ts";
import { LocateButton, SearchBox } from "../search/index.ts";
import {
  BASE_MAPS,
  baseMap,
  chooseBaseMap,
  chooseLanguage,
  chooseTheme,
  found,
  hasTools,
  isShop,
  lostLanguage,
  networkState,
  offeredLanguages,
  openPanel,
  PANEL_NAMES,
  THEMES,
  theme,
} from "../state/index.ts";
import { isLanguage, language, type MessageKey, ownNameOf, text } from "../text/index.ts";
import { LostPart } from "../widgets/index.ts";

/** The bar at the top: a link to the start, the search box, a search around the user, and the menu. */
export function Header() {
  return (
    <header class="bar">
      {!isShop && (
        <h1>
          <a class="brand" href="#/" title={text("app.home")}>
            <img src="./icon.svg" alt={text("app.name")} width="24" height="24" />
          </a>
        </h1>
      )}
      <SearchBox />
      <LocateButton />
      {hasTools && <SavedAreasBadge />}
      <Menu />
    </header>
  );
}

/** Rarely used entries: the panels, the reference, language and theme. */
function Menu() {
  const menu = useRef<HTMLDivElement>(null);
  const hasReference = useSignal(true);
  const look = async () => {
    const isReached = !["off", "silent"].includes(networkState.peek());
    hasReference.value = isReached || (await isKept("./docs/"));
  };
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
      <div
        class="menu"
        id="menu"
        popover="auto"
        role="dialog"
        aria-label={text("menu.open")}
        ref={menu}
        onBeforeToggle={() => void look()}
      >
        <ul>
          {PANEL_NAMES.filter((name) => hasTools || name === "about").map((name) => (
            <li key={name}>
              <button
                type="button"
                disabled={(name === "export" || name === "table") && !found.value?.total}
                onClick={() => {
                  // First, so that the focus returns to the menu button when the panel closes.
                  menu.current?.hidePopover();
                  openPanel(name);
                }}
              >
                {text(`panel.${name}`)}
              </button>
            </li>
          ))}
          {hasTools && (
            <li>
              {hasReference.value ? (
                <a href="./docs/" target="_blank" rel="noopener">
                  {text("menu.reference")}
                </a>
              ) : (
                <span class="menu-off">{text("menu.referenceOff")}</span>
              )}
            </li>
          )}
        </ul>
        <LanguageChoice />
        <Segments
          name="theme"
          title="menu.theme"
          choices={THEMES.map((value) => ({ value, label: `menu.theme.${value}` }))}
          chosen={theme.value}
          onChoose={chooseTheme}
        />
        <Segments
          name="base-map"
          title="map.name"
          choices={BASE_MAPS.map((value) => ({ value, label: `menu.baseMap.${value}` }))}
          chosen={baseMap.value}
          onChoose={chooseBaseMap}
        />
      </div>
    </>
  );
}

/** Whether the page is in a cache of the browser, so that it opens offline. */
async function isKept(address: string): Promise<boolean> {
  const found = await globalThis.caches?.match(new URL(address, document.baseURI)).catch(() => undefined);
  return found !== undefined;
}

function LanguageChoice() {
  const lost = lostLanguage.value;
  return (
    <>
      <label class="field">
        <span>{text("menu.language")}</span>
        <select
          value={language.value}
          onChange={(event) => {
            const { currentTarget } = event;
            if (!isLanguage(currentTarget.value)) return;
            void chooseLanguage(currentTarget.value).then(() => {
              currentTarget.value = language.value;
            });
          }}
        >
          {offeredLanguages.map((code) => (
            <option key={code} value={code} lang={code}>
              {ownNameOf(code)}
            </option>
          ))}
        </select>
      </label>
      {lost && (
        <LostPart title={`${ownNameOf(lost)}: ${text("panel.notLoaded")}`} onRetry={() => void chooseLanguage(lost)} />
      )}
    </>
  );
}

interface SegmentsProps<T extends string> {
  readonly name: string;
  readonly title: MessageKey;
  readonly choices: readonly { readonly value: T; readonly label: MessageKey }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

function Segments<T extends string>({ name, title, choices, chosen, onChoose }: SegmentsProps<T>) {
  return (
    <fieldset class="segments">
      <legend>{text(title)}</legend>
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            class="visually-hidden"
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {text(label)}
        </label>
      ))}
    </fieldset>
  );
}
