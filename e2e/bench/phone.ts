/**
 * Checks that the page fits the memory of a small phone: a walkthrough of a million places in Chromium, whose renderers
 * may use 512 MiB in total; the kernel ends one that exceeds it. Needs Linux, and permission to create control groups.
 *
 * npm run bench:phone -- [--mebibytes 512] [--dataset <folder>] [--write]
 * @module
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { BrowserContext, Page } from "@playwright/test";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { ensurePage } from "../../pipeline/cli/freshness.ts";
import { beginToSave, savedItems } from "../support/areas.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchProfile } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { lineFrom, type RunningProcess, runningProcesses } from "../support/processes.ts";
import { startStaticServer } from "../support/static-server.ts";
import { ensureSynthetic } from "./peers/data.ts";
import { writeResult } from "./results.ts";
import { ownBytes, peakBytes } from "./soak/own-memory.ts";

/** Makes Chromium behave as on a device with 512 MiB. */
const LOW_END = "--enable-low-end-device-mode";

const PLACES = 1_000_000;
const MEBIBYTE = 2 ** 20;
const PATIENCE_MS = 180_000;
/** Time for garbage collection and drawing after a step. */
const AT_REST_MS = 2000;
const BEGUN_MS = 500;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: "en-GB" };

const { values, refuse } = readOptions({
  usage: "npm run bench:phone -- [--mebibytes 512] [--dataset <folder>] [--write]",
  options: {
    mebibytes: { type: "string", default: "512" },
    dataset: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});
const most = Number(values.mebibytes);
if (!Number.isInteger(most) || most < 1) {
  throw refuse(`--mebibytes has ${values.mebibytes}, expected a whole number from 1`);
}

/** Processes with a common memory limit. */
interface MemoryGroup {
  add(processId: number): void;
  processes(): readonly number[];
  remove(): Promise<void>;
}

/**
 * Control groups version 2 if it has memory control, otherwise version 1. Throws if this user cannot create either.
 */
function makeMemoryGroup(bytes: number): MemoryGroup {
  const [root, limit] = existsSync("/sys/fs/cgroup/cgroup.controllers")
    ? ["/sys/fs/cgroup", "memory.max"]
    : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];
  const folder = join(root, `cairn-phone-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(join(folder, limit), String(bytes));
  const members = join(folder, "cgroup.procs");
  return {
    add: (processId) => writeFileSync(members, String(processId)),
    processes: () => readFileSync(members, "utf8").split("\n").filter(Boolean).map(Number),
    async remove() {
      // Ended processes leave the group a moment later.
      while (readFileSync(members, "utf8") !== "") await new Promise((resolve) => setTimeout(resolve, 100));
      rmdirSync(folder);
    },
  };
}

/** Processes of this program's browser by Chromium's type, such as `zygote`, which starts renderers. */
async function findProcesses(type: string): Promise<number[]> {
  const all = await runningProcesses();
  const isOne = (one: RunningProcess): boolean =>
    one.command.split(" ").includes(`--type=${type}`) && lineFrom(all, one).some(({ pid }) => pid === process.pid);
  return [...all.values()].filter(isOne).map(({ pid }) => pid);
}

function hasSwap(): boolean {
  return readFileSync("/proc/swaps", "utf8").trim().split("\n").length > 1;
}

interface Step {
  readonly name: string;
  /** The renderers' own memory after the step, and the peak of one of them so far, including files. */
  readonly afterMiB: number;
  readonly mostMiB: number;
}

/** The hundredth of a degree with the most places. */
async function findDense(dataset: string): Promise<{ lat: number; lng: number }> {
  const connection = await (await DuckDBInstance.create()).connect();
  const found = await connection.runAndReadAll(`
    SELECT round(avg(bbox.ymin), 4), round(avg(bbox.xmin), 4)
    FROM read_parquet('${join(dataset, "place", "**", "*.parquet")}', hive_partitioning = false)
    GROUP BY floor(bbox.xmin * 100), floor(bbox.ymin * 100) ORDER BY count(*) DESC LIMIT 1`);
  connection.closeSync();
  const [lat, lng] = (found.getRows()[0] ?? []).map(Number);
  if (lat === undefined || lng === undefined) throw new Error(`${dataset} has no places`);
  return { lat, lng };
}

/** A step may return a text that describes its end. */
type Walk = readonly (readonly [name: string, act: () => Promise<unknown>])[];

function walk(page: Page, home: string, { lat, lng }: { readonly lat: number; readonly lng: number }): Walk {
  const found = () =>
    page
      .getByRole("status")
      .filter({ hasText: /^[\d,]+ places found/ })
      .waitFor();
  const open = async (query: string): Promise<void> => {
    await page.goto(`${home}#/places?${query}`);
    // The old results are visible until the new search starts.
    await page.waitForTimeout(BEGUN_MS);
    await page.getByText("Searching…").waitFor({ state: "hidden" });
    await found();
  };
  const around = (radius: number, limit: number) => `lat=${lat}&lng=${lng}&radius=${radius}&limit=${limit}`;

  async function readRecord(): Promise<void> {
    await page.locator(".result").first().click();
    await page.getByRole("article").waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
  }

  async function typeWords(): Promise<void> {
    const box = page.getByRole("combobox", { name: "Search" });
    await box.pressSequentially("restaurant", { delay: 100 });
    await page.getByRole("option").first().waitFor();
    await box.fill("");
  }

  async function save(): Promise<void> {
    await beginToSave(page);
    await savedItems(page).waitFor();
    await page.getByRole("dialog", { name: "Saved areas" }).getByRole("button", { name: "Close" }).click();
  }

  async function withoutNetwork(): Promise<void> {
    await page.context().setOffline(true);
    await page.reload();
    await found();
    await page.context().setOffline(false);
  }

  async function exportAll(): Promise<void> {
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog", { name: "Export to a file" });
    await dialog.getByLabel("CSV values unchanged").check();
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save" }).click();
    await download;
    await dialog
      .getByRole("status")
      .filter({ hasText: /^Saved: / })
      .waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
  }

  async function ask(): Promise<string> {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "SQL console" }).click();
    const panel = page.getByRole("dialog", { name: "SQL console" });
    await panel.getByRole("textbox", { name: "SQL" }).fill(SQL);
    const refusal = panel.getByRole("alert");
    const answer = panel.getByText("10 rows").or(refusal);
    // The last statement's message disappears with its database.
    if (await answer.isVisible()) await panel.getByRole("button", { name: "Restart" }).click();
    await answer.waitFor({ state: "hidden" });
    await panel.getByRole("button", { name: "Run" }).click();
    await answer.waitFor();
    const isRefused = await refusal.isVisible();
    const shown = isRefused ? ((await refusal.textContent()) ?? "") : "answered";
    await panel.getByRole("button", { name: "Close" }).click();
    // A refused statement must say so before it reads. Any other error is a failure of the walkthrough.
    if (isRefused && !shown.startsWith("Not run: ")) throw new Error(`the console shows: ${shown}`);
    return isRefused ? "refused before anything is read" : shown;
  }

  /** From the service worker, which has its own engine in the same process. */
  async function askRest(): Promise<void> {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const text = await page.evaluate(
      async (path) => (await (await fetch(path)).text()).slice(0, 2),
      `places?${around(20_000, 25_000)}&format=csv`,
    );
    if (text !== "id") throw new Error(`REST answered ${text}, expected CSV`);
  }

  return [
    ["a first visit, 1 km", () => open(around(1000, 25))],
    ["a record", readRecord],
    ["ten letters in the search box", typeWords],
    ["50 km, 25 of all", () => open(around(50_000, 25))],
    ["50 km, 25,000 rows on one page", () => open(around(50_000, 25_000))],
    ["scrolled to their end", () => page.locator(".result").last().scrollIntoViewIfNeeded()],
    ["a country, a thousand rows", () => open("country=US&limit=1000")],
    ["an area of 20 km saved", () => open(around(20_000, 25)).then(save)],
    ["reloaded without a network", withoutNetwork],
    ["all within 50 km as CSV", () => open(around(50_000, 25)).then(exportAll)],
    ["25,000 rows from the service worker as CSV", askRest],
    ["SQL over all within 50 km", () => open(around(50_000, 25)).then(ask)],
    ["SQL over all within 1 km", () => open(around(1000, 25)).then(ask)],
  ];
}

const SQL = "SELECT categories.primary AS category, count(*) AS n FROM found GROUP BY ALL ORDER BY n DESC LIMIT 10";

async function measure(profile: BrowserContext, group: MemoryGroup, home: string, dataset: string): Promise<Step[]> {
  const page = profile.pages()[0] ?? (await profile.newPage());
  page.setDefaultTimeout(PATIENCE_MS);
  // As on a phone: files are downloads.
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
    Reflect.deleteProperty(Window.prototype, "showSaveFilePicker");
  });
  const crashed = new Promise<never>((_, reject) => page.once("crash", () => reject(new Error("the page crashed"))));
  crashed.catch(() => {});
  const steps: Step[] = [];
  for (const [name, act] of walk(page, home, await findDense(dataset))) {
    const ended = await Promise.race([act(), crashed]).catch((cause: unknown) => {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    await page.waitForTimeout(AT_REST_MS);
    const within = group.processes();
    const renderers = await findProcesses("renderer");
    if (renderers.length === 0 || !renderers.every((id) => within.includes(id))) {
      throw new Error(`renderers are ${renderers.join(", ")}, expected all of them in the control group`);
    }
    const step: Step = {
      name: typeof ended === "string" ? `${name}: ${ended}` : name,
      afterMiB: renderers.reduce((sum, id) => sum + ownBytes(id), 0) / MEBIBYTE,
      mostMiB: Math.max(...renderers.map(peakBytes)) / MEBIBYTE,
    };
    console.log(`${step.name}: ${Math.round(step.afterMiB)} MiB, ${Math.round(step.mostMiB)} at most`);
    steps.push(step);
  }
  return steps;
}

const dataset = values.dataset || ensureSynthetic(PLACES);
await ensurePage(PAGE_FOLDER, "small");
const { collections } = parseManifest(JSON.parse(readFileSync(join(dataset, "manifest.json"), "utf8")));
const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": dataset } });
const group = makeMemoryGroup(most * MEBIBYTE);
const load = loadavg()[0] ?? 0;
// A renderer that waits for a second tab also uses memory.
const folder = await mkdtemp(join(tmpdir(), "cairn-phone-"));
const args = [...DRAWN_IN_SOFTWARE, "--disable-features=SpareRendererForSitePerProcess", LOW_END];
const profile = await launchProfile(folder, args, PHONE);
try {
  for (const id of [...(await findProcesses("zygote")), ...(await findProcesses("renderer"))]) group.add(id);
  const steps = await measure(profile, group, host.url, dataset);
  const report = [
    `Written by \`npm run bench:phone\`. ${(collections.place?.rows ?? 0).toLocaleString("en")} places, Chromium ${profile.browser()?.version()} at 390 by 844, its renderers (page and workers) within ${most} MiB by a control group, ${hasSwap() ? "with" : "without"} swap; load ${load.toFixed(1)} before. MiB of their own after each step; the most that one of them had in memory until then, with what of files is in memory.`,
    "",
    "| step | after it, MiB | at most, MiB |",
    "|---|---:|---:|",
    ...steps.map(({ name, afterMiB, mostMiB }) => `| ${name} | ${Math.round(afterMiB)} | ${Math.round(mostMiB)} |`),
  ].join("\n");
  console.log(report);
  if (values.write) {
    await writeResult({ name: "phone", command: "npm run bench:phone" }, report);
  }
} finally {
  await profile.close();
  await rm(folder, { recursive: true, force: true });
  await host.close();
  await group.remove();
}
