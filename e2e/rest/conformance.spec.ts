import type { Page } from "@playwright/test";
import { startServer } from "../../web/hosts/node/server.ts";
import { type ConformanceOptions, runConformance } from "../conformance/run.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

test.use({ hasMap: false });

const MOST_MS = 900_000;

test.describe.configure({ mode: "parallel" });

/** Runs the complete suite. On failure the test shows the failed checks. */
async function conform(options: Pick<ConformanceOptions, "fetch" | "transport">): Promise<void> {
  const faults: string[] = [];
  const report = (line: string) => {
    if (line.startsWith("not ok")) faults.push(line);
  };
  const { passed } = await runConformance({ ...options, sources: [SAMPLE_FOLDER], report });
  expect(faults).toEqual([]);
  expect(passed).toBeGreaterThan(1000);
}

test("the Node host passes the conformance suite", async () => {
  test.setTimeout(MOST_MS);
  const server = await startServer({ dataset: DATASET_FOLDER, page: PAGE_FOLDER, port: 0 });
  try {
    await conform({ fetch: (path, init) => fetch(new URL(`.${path}`, server.url), init) });
  } finally {
    await server.close();
  }
});

/** A request from the page, answered by its service worker. */
async function fetchInPage(page: Page, address: string, init: RequestInit = {}): Promise<Response> {
  const { method = "GET" } = init;
  const headers = [...new Headers(init.headers)];
  const answer = await page.evaluate(
    async ({ address, method, headers }) => {
      const response = await fetch(address, { method, headers: headers as [string, string][], cache: "no-store" });
      return { status: response.status, headers: [...response.headers], text: await response.text() };
    },
    { address, method, headers },
  );
  const hasBody = answer.status !== 204 && answer.status !== 304;
  return new Response(hasBody ? answer.text : null, {
    status: answer.status,
    headers: answer.headers as [string, string][],
  });
}

test("the service worker passes the conformance suite", async ({ page, home }) => {
  test.setTimeout(MOST_MS);
  await page.goto(home);
  await serviceWorkerReady(page);
  await conform({
    transport: "service-worker",
    fetch: (path, init) => fetchInPage(page, new URL(`.${path}`, home).href, init),
  });
});
