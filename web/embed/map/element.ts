/**
 * `<cairn-map src="..">`: a map with a search for any page.
 * @module
 */

import type { Feature as FoundFeature } from "../../engine/index.ts";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import {
  callRemote,
  isUnanswered,
  type MapCalls,
  type MapStatus,
  type Remote,
} from "../../hosts/browser/protocol/index.ts";
import { loadEngineFile } from "../engine-files.ts";
import { requireDigest } from "../secure.ts";
import type { Attribution, Feature, PathName } from "../types.ts";
import type { EmbeddedMap } from "./draw.ts";
import elementCss from "./element.css?inline";
import type { Locator } from "./locator.tsx";
import { ATTRIBUTES, type Chosen, type ElementSearch, searchMeant, searchOf } from "./parameters.ts";
import { type Speech, speechOf } from "./text.ts";

/** Events of the element. They bubble. */
export interface CairnMapEvents {
  /**
   * A search was answered: the records of the page (with the attribute `counts` the counted areas), and the number of all
   * records.
   */
  "cairn-found": CustomEvent<{ readonly count: number; readonly features: readonly Feature[] }>;
  /** A record on the map or in the list was selected. */
  "cairn-select": CustomEvent<Feature>;
  /** A search, a part of the map or the reading of a clicked record failed. The element shows the message of a failed search. */
  "cairn-error": CustomEvent<Error>;
}

/**
 * The attributes of `<cairn-map>`. `src` is required. Overture's paths also need `lat` with `lng`, or `country`, or a `text` that
 * names a location.
 */
export interface CairnMapAttributes {
  /** URL of the dataset folder. */
  readonly src?: string;
  /** Latitude of the centre in degrees. Needs `lng`. */
  readonly lat?: number | string;
  /** Longitude of the centre in degrees. Needs `lat`. */
  readonly lng?: number | string;
  /** Radius of the search in metres. Default: 1000; with `list`, any distance. */
  readonly radius?: number | string;
  /** A search path, or the name of a collection made from a table. Default: `places`. */
  readonly path?: PathName | "places/buildings" | (string & {});
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly name?: string;
  /** Maximum number of records. Default: 200; with `list`, 1000. */
  readonly limit?: number | string;
  readonly zoom?: number | string;
  /** Collections whose vector tiles are drawn below the results, such as `building segment`. */
  readonly tiles?: string;
  /** Conditions, written as in a URL: `Category=Bakery&Price_max=10`. */
  readonly filter?: string;
  /** What is searched for, in words: `bakery`, `toothache`, `cafes in Monaco`. */
  readonly text?: string;
  /** With `click` the map loads when the visitor clicks. Default: `now`. */
  readonly load?: "now" | "click";
  /** Shows the results also as a list, with filters, and one record with directions. */
  readonly list?: boolean | "";
  /**
   * Columns for which the list has a filter, with commas between them: `Category, Town`. Default: those in the site's `map.json`.
   */
  readonly filters?: string;
  /**
   * Draws exact counts instead of records: by divisions of this subtype (`region`, `county`), or by geohash cells with this
   * number of characters (`1` to `6`).
   */
  readonly counts?: string | number;
  /** Public keys with commas between them. One of them must have signed the dataset. */
  readonly "pinned-key"?: string;
}

/** Listeners in JSX of React 19 and Preact, such as `oncairn-found`. */
export type CairnMapListeners = {
  readonly [Name in keyof CairnMapEvents as `on${Name}`]?: (event: CairnMapEvents[Name]) => void;
};

interface Opened {
  readonly dataset: string;
  readonly key: string | undefined;
  readonly worker: Promise<Worker>;
  readonly remote: Promise<Remote<MapCalls>>;
}

function endWorker({ worker }: Opened): void {
  worker.then(
    (started) => started.terminate(),
    () => {},
  );
}

/** The base class. Node has no `HTMLElement`, but importing the module there must not throw. */
const Base = typeof HTMLElement === "undefined" ? (class {} as typeof HTMLElement) : HTMLElement;

/**
 * The element `<cairn-map>`: a map with the results of one search. Attributes: `src`, `lat`, `lng`, `radius`, `path`,
 * `country`, `name`, `limit`, `zoom`, `tiles`, `filter`, `text`, `load`, `list`, `filters`, `counts`, `pinned-key`.
 * Without `list` or `counts`, a click on the base map sets `lat` and `lng`.
 */
export class CairnMapElement extends Base {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #frame = document.createElement("div");
  readonly #side = document.createElement("div");
  readonly #controls = document.createElement("div");
  readonly #results = document.createElement("div");
  readonly #stage = document.createElement("div");
  readonly #map = document.createElement("div");
  readonly #status = document.createElement("p");
  readonly #credits = document.createElement("details");
  readonly #start = document.createElement("button");
  #isStarted = false;
  #drawn: Promise<EmbeddedMap | undefined> | undefined;
  #opened: Opened | undefined;
  #searching: AbortController | undefined;
  #features: readonly FoundFeature[] = [];
  #isAsked = false;
  /** The search whose matches are drawn; `again` if they depend on the view. */
  #seen: { readonly search: ElementSearch; readonly again: (() => void) | undefined } | undefined;
  #hasStreets = true;
  #speech: Speech | undefined;
  #locator: Promise<Locator> | undefined;
  #chosen: Chosen = { filters: new Map(), position: undefined };
  #settings: { readonly dataset: string; readonly filters: Promise<readonly string[] | undefined> } | undefined;

  constructor() {
    super();
    this.#frame.className = "frame";
    this.#side.className = "side";
    this.#controls.className = "controls";
    this.#results.className = "results";
    this.#stage.className = "stage";
    this.#map.className = "map";
    this.#status.className = "status";
    this.#status.setAttribute("role", "status");
    this.#credits.className = "credits";
    this.#credits.hidden = true;
    const root = this.attachShadow({ mode: "open" });
    this.#start.className = "start";
    this.#start.type = "button";
    this.#start.addEventListener("click", () => {
      this.#isStarted = true;
      this.#ask();
    });
    this.#side.append(this.#controls, this.#results);
    this.#stage.append(this.#map, this.#status, this.#credits);
    this.#frame.append(this.#side, this.#stage);
    root.append(this.#frame, this.#start);
    root.adoptedStyleSheets.push(styleSheet(elementCss));
  }

  connectedCallback(): void {
    this.#speech = speechOf(this);
    this.#frame.dir = this.#speech.direction;
    this.#start.textContent = this.getAttribute("aria-label") || this.#speech.text("element.show");
    this.#ask();
  }

  disconnectedCallback(): void {
    this.#locator?.then(
      (locator) => locator.remove(),
      () => {},
    );
    this.#locator = undefined;
    this.#searching?.abort();
    if (this.#opened) endWorker(this.#opened);
    this.#opened = undefined;
    this.#drawn?.then(
      (map) => map?.remove(),
      () => {},
    );
    this.#drawn = undefined;
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#ask();
  }

  /** Searches once for all attributes that change together. */
  #ask(): void {
    const isWaiting = this.getAttribute("load") === "click" && !this.#isStarted;
    this.#start.hidden = !isWaiting;
    if (isWaiting) this.#status.textContent = "";
    if (isWaiting || this.#isAsked || !this.isConnected) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      if (this.isConnected) void this.#search();
    });
  }

  async #search(): Promise<void> {
    this.#searching?.abort();
    const controller = new AbortController();
    this.#searching = controller;
    try {
      requireDigest();
      const search = searchOf((name) => this.getAttribute(name), this.ownerDocument.baseURI, this.#chosen);
      if (!search) {
        this.#status.textContent = "src, and lat with lng, country or text, are needed.";
        return;
      }
      this.#arrangeParts(search.list !== undefined);
      this.#status.textContent = this.#words.text("status.searching");
      await this.#answer(search, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#status.textContent = fault.message;
      if (isUnanswered(error)) this.#offerRetry(() => this.#ask());
      this.#tell("cairn-error", fault);
    }
  }

  async #answer(asked: ElementSearch, signal: AbortSignal): Promise<void> {
    const remote = await this.#open(asked);
    const search = await this.#meant(remote, asked, signal);
    const { counts: by } = search;
    const answer =
      by === undefined ? await remote("search", search, signal) : await remote("counts", { ...search, by }, signal);
    if (answer.kind === "refused") throw new Error(answer.faults.join("; "));
    const { total, body } = answer;
    const count = search.list ? await this.#list(search, remote, { total, body }, signal) : total;
    if (!search.list) this.#features = body;
    signal.throwIfAborted();
    const shown = this.#features.length;
    const { text } = this.#words;
    this.#status.textContent =
      count > shown && by === undefined
        ? text("element.countFirst", { count, shown })
        : text("element.count", { count });
    this.#tell("cairn-found", { count, features: this.#features });
    await this.#show(search, count > shown && by === undefined, signal);
  }

  get #words(): Speech {
    this.#speech ??= speechOf(this);
    return this.#speech;
  }

  /** The status is above the list, or on the map. */
  #arrangeParts(hasList: boolean): void {
    if (hasList) this.#results.before(this.#status);
    else this.#map.after(this.#status);
  }

  /** Shows the list, and returns the number of records that it would have without a limit. */
  async #list(
    { dataset, path, parameters, list }: ElementSearch,
    remote: Remote<MapCalls>,
    { total, body }: { readonly total: number; readonly body: readonly FoundFeature[] },
    signal: AbortSignal,
  ): Promise<number> {
    const [{ offeredFilters }, locator, { columns, filters }, names] = await Promise.all([
      loadPart(() => import("./locator.tsx")),
      this.#openLocator(),
      remote("columns", path, signal),
      list?.filters ?? this.#filtersOfSite(dataset),
    ]);
    // the owner's conditions stay: visitors get no filter for their columns
    const conditions = new URLSearchParams(this.getAttribute("filter")?.replace(/^[?&]/, "") ?? "");
    const offered = offeredFilters(filters, names, conditions);
    const values = offered.some(({ kind }) => kind === "values")
      ? await remote("values", { path, parameters: withoutFilters(parameters, this.#chosen) }, signal)
      : [];
    const isComplete = total <= body.length;
    const speech = this.#words;
    const features = await locator.arrange(body, { columns, speech, isComplete });
    signal.throwIfAborted();
    this.#features = features;
    const { filters: chosen, position } = this.#chosen;
    locator.show({ speech, features, columns, filters: offered, values, chosen, isNear: position !== undefined });
    return isComplete ? features.length : total;
  }

  #openLocator(): Promise<Locator> {
    if (this.#locator) return this.#locator;
    const opening = loadPart(() => import("./locator.tsx")).then(({ createLocator }) =>
      createLocator({
        controls: this.#controls,
        results: this.#results,
        onFilter: (name, value) => {
          const filters = new Map(this.#chosen.filters);
          if (value === undefined) filters.delete(name);
          else filters.set(name, value);
          this.#choose({ filters });
        },
        onClear: () => this.#choose({ filters: new Map() }),
        onPosition: (position) => this.#choose({ position }),
        onArrange: () => this.#ask(),
        onSelect: (feature) => {
          this.#drawn?.then(
            (map) => map?.mark(feature),
            () => {},
          );
          if (feature) this.#tell("cairn-select", feature);
        },
      }),
    );
    this.#locator = opening;
    opening.catch(() => {
      this.#locator = undefined;
    });
    return opening;
  }

  #choose(chosen: Partial<Chosen>): void {
    this.#chosen = { ...this.#chosen, ...chosen };
    this.#ask();
  }

  /** The filters of the site's `map.json`; undefined for a dataset without one. */
  #filtersOfSite(dataset: string): Promise<readonly string[] | undefined> {
    if (this.#settings?.dataset !== dataset) this.#settings = { dataset, filters: readFilters(dataset) };
    const { filters } = this.#settings;
    // a failure is not remembered: the next search asks again
    return filters.catch(() => {
      if (this.#settings?.filters === filters) this.#settings = undefined;
      return undefined;
    });
  }

  /** The search for what the text means, if there is one. */
  async #meant(remote: Remote<MapCalls>, search: ElementSearch, signal: AbortSignal): Promise<ElementSearch> {
    const { text, circle, parameters } = search;
    if (text === undefined) return search;
    const language = this.closest("[lang]")?.getAttribute("lang") || undefined;
    const country = typeof parameters.country === "string" ? parameters.country : undefined;
    const meant = await remote("meant", { text, near: circle, country, language }, signal);
    if (meant) return searchMeant(search, meant);
    throw new Error(`text ${JSON.stringify(text)} names no category and no location of the dataset`);
  }

  /** Draws what was found. A map whose script cannot be loaded is reported: the answer stays. */
  async #show(search: ElementSearch, isCut: boolean, signal: AbortSignal): Promise<void> {
    try {
      const map = await this.#drawMap(search);
      if (signal.aborted || !map) return;
      map.show(search, this.#features);
      this.#seen = undefined;
      // with a limit of the owner, the map has as many records as the answer
      if (isCut && !search.list && !this.hasAttribute("limit")) await this.#showMatches(search, map, signal);
    } catch (error) {
      if (!signal.aborted) this.#reportMap(error);
    }
  }

  /** Draws all matches, and again where the map is moved if they are too many for one view. */
  async #showMatches(search: ElementSearch, map: EmbeddedMap, signal: AbortSignal): Promise<void> {
    const remote = await this.#open(search);
    const located = await remote("matches", { search, view: map.view() }, signal);
    if (signal.aborted) return;
    map.showMatches(located);
    this.#seen = {
      search,
      again: located.isWhole ? undefined : () => void this.#showMatches(search, map, signal).catch(() => {}),
    };
  }

  /** Selects a record that is not among those found. */
  async #selectOther(find: (remote: Remote<MapCalls>) => Promise<FoundFeature | undefined>): Promise<void> {
    if (!this.#opened) return;
    try {
      const feature = await find(await this.#opened.remote);
      if (!feature) return;
      (await this.#drawn)?.mark(feature);
      this.#tell("cairn-select", feature);
    } catch (error) {
      this.#tell("cairn-error", error);
    }
  }

  /** Once for all tiles that lack the same script: the map shows what it can without it. */
  #reportMap(error: unknown): void {
    if (this.#status.querySelector("button")) return;
    this.#status.append(`. ${this.#words.text("problem.part")}.`);
    this.#offerRetry(() => {
      void this.#drawn?.then((map) => map?.remove());
      this.#drawn = undefined;
      this.#ask();
    });
    this.#tell("cairn-error", error);
  }

  #offerRetry(retry: () => void): void {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = this.#words.text("problem.retry");
    button.addEventListener("click", retry);
    this.#status.append(" ", button);
  }

  /** Opens the engine for the dataset. It outlives a search, because the next one needs it too. */
  #open({ dataset, key }: Pick<ElementSearch, "dataset" | "key">): Promise<Remote<MapCalls>> {
    if (this.#opened?.dataset === dataset && this.#opened.key === key) return this.#opened.remote;
    if (this.#opened) endWorker(this.#opened);
    const worker = loadPart(() => import("./start-worker.ts")).then(({ startWorker }) => startWorker());
    const opened: Opened = { dataset, key, worker, remote: this.#startEngine(worker, { folder: dataset, key }) };
    this.#opened = opened;
    opened.remote.catch(() => {
      endWorker(opened);
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened.remote;
  }

  async #startEngine(worker: Promise<Worker>, dataset: MapCalls["open"]["argument"]): Promise<Remote<MapCalls>> {
    const remote = callRemote<MapCalls, MapStatus>(await worker, ({ part: name }) => {
      const deliver = (content?: string) => void remote("part", { name, content });
      loadEngineFile(name).then(deliver, (error: unknown) => {
        deliver();
        this.#reportMap(error);
      });
    });
    const { attribution, hasStreets } = await remote("open", dataset).catch((cause: unknown) => {
      if (!isUnanswered(cause)) throw cause;
      throw new Error("<cairn-map> cannot start its worker: the page's policy must allow worker-src blob:", { cause });
    });
    this.#credit(attribution);
    this.#hasStreets = hasStreets;
    return remote;
  }

  /** Returns the map, created on first use, and again after its program could not be loaded. */
  #drawMap(search: ElementSearch): Promise<EmbeddedMap | undefined> {
    if (this.#drawn) return this.#drawn;
    const drawn = this.#draw(search);
    this.#drawn = drawn;
    drawn.catch(() => {
      if (this.#drawn === drawn) this.#drawn = undefined;
    });
    return drawn;
  }

  /** MapLibre is most of the element's size: the search does not wait for it. */
  async #draw(search: ElementSearch): Promise<EmbeddedMap | undefined> {
    const { createEmbeddedMap, mapCss } = await loadPart(() => import("./draw.ts"));
    const root = this.shadowRoot;
    // the element's own styles come last, once
    if (root) root.adoptedStyleSheets = [styleSheet(mapCss), ...root.adoptedStyleSheets.slice(-1)];
    try {
      return createEmbeddedMap({
        container: this.#map,
        at: search,
        hasStreets: this.#hasStreets,
        tile: async (address, signal) => {
          if (!this.#opened) throw new Error("the dataset is not open: set src first");
          return (await this.#opened.remote)("tile", address, signal);
        },
        collectionTile: async (tile, signal) => {
          if (!this.#opened) throw new Error("the dataset is not open: set src first");
          return (await this.#opened.remote)("collectionTile", tile, signal);
        },
        onCentre: ({ lat, lon }) => {
          // a visitor of a list would lose its order by a click, and of counts the areas
          if (this.hasAttribute("list") || this.hasAttribute("counts")) return;
          this.setAttribute("lat", lat.toFixed(6));
          this.setAttribute("lng", lon.toFixed(6));
        },
        hasPlaces: search.list === undefined,
        onMatch: (at) => {
          const found = this.#seen?.search;
          if (found) void this.#selectOther((remote) => remote("matchAt", { search: found, ...at }));
        },
        onPlace: (id) => void this.#selectOther((remote) => remote("find", { path: "/places", id })),
        onView: () => this.#seen?.again?.(),
        onSelect: (id) => {
          const feature = this.#features.find((found) => found.id === id);
          if (this.#locator) void this.#locator.then((locator) => locator.select(id));
          else if (feature) this.#tell("cairn-select", feature);
        },
      });
    } catch {
      this.#status.textContent += ` ${this.#words.text("app.noMap")}`;
      return undefined;
    }
  }

  #credit(attribution: readonly Attribution[]): void {
    const list = document.createElement("ul");
    for (const { text, url, license } of attribution) {
      const item = document.createElement("li");
      const link = document.createElement(url ? "a" : "span");
      if (url) link.setAttribute("href", url);
      link.textContent = text;
      item.append(link, ` (${license})`);
      list.append(item);
    }
    const summary = document.createElement("summary");
    // OpenStreetMap's licence requires a credit that is visible without a click.
    const shown = attribution.find(({ text }) => text.includes("OpenStreetMap")) ?? attribution[0];
    const others = attribution.length - 1;
    const source = shown?.text ?? "";
    summary.textContent = others > 0 ? `${source} (+${others.toLocaleString(this.#words.locale)})` : source;
    this.#credits.replaceChildren(summary, list);
    this.#credits.hidden = shown === undefined;
  }

  #tell(name: keyof CairnMapEvents, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** Returns the parameters that the page's owner set, without those that the visitor has chosen. */
function withoutFilters(parameters: ElementSearch["parameters"], { filters }: Chosen): ElementSearch["parameters"] {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !filters.has(name)));
}

/**
 * Returns the filters of the site's `map.json`; undefined without such a file. Throws if no host answers, or for a status of 500
 * and above.
 */
async function readFilters(dataset: string): Promise<readonly string[] | undefined> {
  const response = await fetch(new URL("../embed/map.json", dataset));
  if (response.status >= 500) throw new Error(`map.json: HTTP status ${response.status}`);
  // a host may answer a page for a file that it lacks
  return response.ok ? filtersIn(await response.json().catch(() => undefined)) : undefined;
}

function filtersIn(settings: unknown): readonly string[] | undefined {
  const filters = typeof settings === "object" && settings !== null && "filters" in settings && settings.filters;
  return Array.isArray(filters) ? filters.filter((name) => typeof name === "string") : undefined;
}

/** Returns a style sheet, which is allowed by policies that forbid inline styles. */
function styleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

declare global {
  interface HTMLElementTagNameMap {
    "cairn-map": CairnMapElement;
  }
  interface HTMLElementEventMap extends CairnMapEvents {}
}

if (typeof customElements !== "undefined" && !customElements.get("cairn-map")) {
  customElements.define("cairn-map", CairnMapElement);
}
