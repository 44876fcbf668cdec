/**
 * Drives the installed Firefox with WebDriver BiDi.
 * @module
 */
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import type { Tab, TabOptions } from "./tab.ts";

/** Opens Firefox. */
export async function openFirefox(
  program: string,
  { display, trapPort, folder, colorScheme = "light", isPrivate = false }: TabOptions,
): Promise<Tab> {
  const downloads = join(folder, "downloads");
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: program,
    headless: false,
    defaultViewport: null,
    userDataDir: join(folder, "profile"),
    args: ["--width=1280", "--height=900"],
    // Its sandbox needs permissions that a container lacks.
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: folder,
      MOZ_DISABLE_CONTENT_SANDBOX: "1",
      MOZ_REMOTE_SETTINGS_DEVTOOLS: "1",
      LANG: "en_GB.UTF-8",
    },
    extraPrefsFirefox: {
      "browser.privatebrowsing.autostart": isPrivate,
      "browser.download.folderList": 2,
      "browser.download.dir": downloads,
      "services.settings.server": "data:,",
      "intl.accept_languages": "en-GB",
      "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
      "ui.prefersReducedMotion": 1,
      "network.proxy.type": 1,
      "network.proxy.http": "127.0.0.1",
      "network.proxy.http_port": trapPort,
      "network.proxy.ssl": "127.0.0.1",
      "network.proxy.ssl_port": trapPort,
    },
  });
  const [page] = await browser.pages();
  if (!page) throw new Error("Firefox opened no page");
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error instanceof Error ? error.message : String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  return {
    browser: (await browser.version()).replace("firefox/", "Firefox "),
    downloads,
    async goto(address) {
      await page.goto(address);
    },
    async reload() {
      await page.reload();
    },
    evaluate: (expression) => page.evaluate(expression),
    async inject(script) {
      await page.evaluate(script);
    },
    press: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    enter: () => page.keyboard.press("Enter"),
    resize: (width, height) => page.setViewport({ width, height }),
    faults: () => faults,
    screenshot: () => page.screenshot({ type: "png" }),
    close: () => browser.close(),
  };
}
