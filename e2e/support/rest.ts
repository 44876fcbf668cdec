/**
 * REST requests from a page and from Node.
 * @module
 */
import type { Page } from "@playwright/test";
import { startServer } from "../../web/hosts/node/server.ts";

export interface Answer {
  readonly status: number;
  /** `Pagination-Count`, if present. */
  readonly count: string | null;
  readonly body: string;
}

/** Returns the answer that a page gets, from the service worker if it has one. */
export function ask(page: Page, address: string): Promise<Answer> {
  return page.evaluate(async (address) => {
    const response = await fetch(address, { cache: "no-store" });
    return { status: response.status, count: response.headers.get("Pagination-Count"), body: await response.text() };
  }, address);
}

/** Returns the answers of an intact Node host. Throws if one is not 200. */
export async function answersOfNode(dataset: string, addresses: readonly string[]): Promise<Answer[]> {
  const node = await startServer({ dataset, port: 0 });
  try {
    const answers: Answer[] = [];
    for (const address of addresses) {
      const response = await fetch(node.url + address);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${address} has status ${response.status}, expected 200: ${body}`);
      answers.push({ status: 200, count: response.headers.get("Pagination-Count"), body });
    }
    return answers;
  } finally {
    await node.close();
  }
}
