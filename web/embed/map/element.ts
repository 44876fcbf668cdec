/**
 * `<cairn-map src="..">`: a map with a search on it, for any page.
 * @module
 */

import type { Attribution } from "../../../data/format/manifest.ts";
import type { Feature } from "../../engine/index.ts";
import { callRemote, type Remote } from "../../hosts/browser/protocol/index.ts";
import pageWorker from "../../hosts/browser/workers/page-worker.ts?worker&url";
import { requireDigest } from "../secure.ts";
import type { EmbeddedMap } from "./draw.ts";
import elementCss from "./element.css?inline";
import { ATTRIBUTES, type ElementSearch, searchOf } from "./parameters.ts";
import { workerAddress } from "./worker.ts";

// Kept from the bundler, which would take a literal for a file to copy.
const here: string = import.meta.url;

/** What the element tells its page, as bubbling events. */
export interface CairnMapEvents {
  /** A search was answered: the records of its page, and the count of all. */
  "cairn-found": CustomEvent<{ readonly count: number; readonly features: readonly Feature[] }>;
  /** A record on the map was chosen. */
  "cairn-select": CustomEvent<Feature>;
  /** What went wrong; the element shows its message too. */
  "cairn-error": CustomEvent<Error>;
}

interface Opened {
  readonly dataset: string;
  readonly worker: Worker;
  readonly remote: Promise<Remote>;
}

/** Attributes: `src`, `lat`, `lng`, `radius`, `path`, `country`, `name`, `limit`, `zoom`, `tiles`. A click on the ground sets `lat` and `lng`. */
export class CairnMapElement extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #map = document.createElement("div");
  readonly #status = document.createElement("p");
  readonly #credits = document.createElement("details");
  #drawn: Promise<EmbeddedMap | undefined> | undefined;
  #opened: Opened | undefined;
  #searching: AbortController | undefined;
  #features: readonly Feature[] = [];
  #isAsked = false;

  constructor() {
    super();
    const style = document.createElement("style");
    style.textContent = elementCss;
    this.#map.className = "map";
    this.#status.className = "status";
    this.#status.setAttribute("role", "status");
    this.#credits.className = "credits";
    this.#credits.hidden = true;
    this.attachShadow({ mode: "open" }).append(style, this.#map, this.#status, this.#credits);
  }

  connectedCallback(): void {
    this.#ask();
  }

  disconnectedCallback(): void {
    this.#searching?.abort();
    this.#opened?.worker.terminate();
    this.#opened = undefined;
    void this.#drawn?.then((map) => map?.remove());
    this.#drawn = undefined;
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#ask();
  }

  /** Searches once for all attributes that change together. */
  #ask(): void {
    if (this.#isAsked || !this.isConnected) return;
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
      const search = searchOf((name) => this.getAttribute(name), this.ownerDocument.baseURI);
      if (!search) {
        this.#status.textContent = "src, and lat with lng or country, are needed.";
        return;
      }
      this.#status.textContent = "Searching…";
      await this.#answer(search, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      const told = error instanceof Error ? error : new Error(String(error));
      this.#status.textContent = told.message;
      this.#tell("cairn-error", told);
    }
  }

  async #answer(search: ElementSearch, signal: AbortSignal): Promise<void> {
    const remote = await this.#open(search.dataset);
    const answer = await remote("search", search, signal);
    if (answer.kind === "refused") throw new Error(answer.faults.join("; "));
    const { total: count, body } = answer;
    this.#features = body;
    this.#status.textContent = `${count.toLocaleString()} found${
      count > this.#features.length ? `, the first ${this.#features.length.toLocaleString()} drawn` : ""
    }`;
    this.#tell("cairn-found", { count, features: this.#features });
    this.#drawn ??= this.#draw();
    const map = await this.#drawn;
    if (!signal.aborted) map?.show(search, this.#features);
  }

  /** The engine for the dataset; not stopped with a search, since the next one wants it too. */
  #open(dataset: string): Promise<Remote> {
    if (this.#opened?.dataset === dataset) return this.#opened.remote;
    this.#opened?.worker.terminate();
    const worker = new Worker(workerAddress(pageWorker), { type: "module" });
    const opened: Opened = { dataset, worker, remote: this.#start(worker, dataset) };
    this.#opened = opened;
    opened.remote.catch(() => {
      worker.terminate();
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened.remote;
  }

  async #start(worker: Worker, dataset: string): Promise<Remote> {
    const remote = callRemote(worker, () => {});
    const site = this.getAttribute("site");
    const base = site ? new URL(site, this.ownerDocument.baseURI).href : new URL("..", here).href;
    const { attribution } = await remote("open", { base, dataset, allowPrefetch: false });
    this.#credit(attribution);
    return remote;
  }

  /** MapLibre is most of the element's weight: the search does not wait for it. */
  async #draw(): Promise<EmbeddedMap | undefined> {
    const { createEmbeddedMap } = await import("./draw.ts");
    const sheet = await import("maplibre-gl/dist/maplibre-gl.css?inline");
    const style = document.createElement("style");
    style.textContent = sheet.default;
    this.shadowRoot?.prepend(style);
    try {
      return createEmbeddedMap({
        container: this.#map,
        tile: async (address, signal) => {
          if (!this.#opened) throw new Error("the dataset is not open");
          return (await this.#opened.remote)("tile", address, signal);
        },
        collectionTile: async (place, signal) => {
          if (!this.#opened) throw new Error("the dataset is not open");
          return (await this.#opened.remote)("collectionTile", place, signal);
        },
        onCentre: ({ lat, lon }) => {
          this.setAttribute("lat", lat.toFixed(6));
          this.setAttribute("lng", lon.toFixed(6));
        },
        onSelect: (id) => {
          const feature = this.#features.find((found) => found.id === id);
          if (feature) this.#tell("cairn-select", feature);
        },
      });
    } catch {
      this.#status.textContent += " (this browser cannot draw the map: WebGL2 is off)";
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
    summary.textContent = "© Sources";
    this.#credits.replaceChildren(summary, list);
    this.#credits.hidden = false;
  }

  #tell(name: keyof CairnMapEvents, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cairn-map": CairnMapElement;
  }
  interface HTMLElementEventMap extends CairnMapEvents {}
}

if (!customElements.get("cairn-map")) customElements.define("cairn-map", CairnMapElement);
