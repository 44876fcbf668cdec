import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Ajv } from "ajv";
import { readStoredRows } from "../../web/engine/testing/stored-rows.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { createMcpServer } from "../../web/mcp/index.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";

interface Place {
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
}

interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
}
type Registered = typeof globalThis & { registered: Tool[] };
interface ModelContext {
  registerTool(tool: Tool & { readonly execute: unknown }): unknown;
}

/** The tools of `/mcp`, sorted by name. */
async function listedTools(): Promise<Tool[]> {
  const client = new Client({ name: "test", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ dataset: openNodeDataset(DATASET_FOLDER) }).connect(there);
  await client.connect(here);
  const { tools } = await client.listTools();
  await client.close();
  return byName(tools);
}

function byName(tools: readonly Tool[]): Tool[] {
  return tools
    .map(({ name, description, inputSchema, outputSchema, annotations }) => ({
      ...{ name, description, inputSchema, outputSchema, annotations },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Records what the page registers, because browsers drop unknown members. */
function keepRegistered(): void {
  const context = Reflect.get(document, "modelContext") as ModelContext;
  const register = context.registerTool.bind(context);
  const registered: Tool[] = [];
  Object.assign(globalThis, { registered });
  Reflect.set(context, "registerTool", (tool: Tool & { readonly execute: unknown }) => {
    const { execute: _, ...described } = tool;
    registered.push(described);
    return register(tool);
  });
}

/** Playwright sets its own `--enable-features` first. The last one counts. */
const WEB_MCP = "--enable-features=WebMCP,CDPScreenshotNewSurface";

test("a browser with an agent gets the tools of /mcp, and the page answers their calls", async ({ home }) => {
  const browser = await launchBrowser([...DRAWN_IN_SOFTWARE, "--disable-background-networking", WEB_MCP]);
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
    await page.addInitScript(keepRegistered);
    await page.goto(home);
    const listed = await listedTools();
    await expect.poll(async () => (await page.webmcp.tools()).length).toBe(listed.length);
    const offered = await page.webmcp.tools();
    expect(
      offered.map(({ name, inputSchema }) => ({ name, inputSchema })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    ).toEqual(listed.map(({ name, inputSchema }) => ({ name, inputSchema })));
    expect(byName(await page.evaluate(() => (globalThis as Registered).registered))).toEqual(listed);
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
    const { outputSchema } = listed.find(({ name }) => name === "in_area") ?? {};
    const validate = new Ajv().compile(outputSchema ?? false);
    expect([validate(Reflect.get(Object(found), "structuredContent")), validate.errors]).toEqual([true, null]);
    const unknown = await page.webmcp.callTool("near", { lat: 43.7384, lng: 7.4246, type: "building" });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("did you mean what?") }],
    });
    const refused = await page.webmcp.callTool("in_area", { country: "Atlantis" });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("country must be") }] });
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
