import { readStoredRows } from "../../web/engine/testing/stored-rows.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";

interface Place {
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
}

/** Playwright puts `--enable-features` of its own first; the last one counts. */
const WEB_MCP = "--enable-features=WebMCP,CDPScreenshotNewSurface";

test("a browser with an agent is offered the tools of /mcp, and the page answers them", async ({ home }) => {
  const browser = await launchBrowser([...DRAWN_IN_SOFTWARE, "--disable-background-networking", WEB_MCP]);
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
    await page.goto(home);
    const names = async () => (await page.webmcp.tools()).map(({ name }) => name).sort();
    await expect.poll(names).toEqual(["categories", "counts", "describe", "find", "get", "in_area", "near", "reverse"]);
    const found = await page.webmcp.callTool("in_area", { country: "Monaco", categories: ["hotel"], limit: 3 });
    const hotels = (await readStoredRows<Place>(DATASET_FOLDER, "place")).filter(
      ({ country, categories }) =>
        country === "MC" && [categories?.primary, ...(categories?.alternate ?? [])].includes("hotel"),
    );
    expect(found).toMatchObject({
      structuredContent: {
        total: hotels.length,
        records: [/hotel/, /hotel/, /hotel/].map((one) => expect.stringMatching(one)),
      },
    });
    const refused = await page.webmcp.callTool("in_area", { country: "Atlantis" });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("country must be") }] });
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
