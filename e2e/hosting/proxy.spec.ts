import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { ask } from "./ask.ts";
import { type RunningHost, startProxy } from "./recipes.ts";

test.describe("the Node host behind nginx, below a path", () => {
  for (const [name, options] of [
    ["that the proxy sets", { trustProxy: true }],
    ["that the operator sets", { publicUrl: "https://cairn.example/elsewhere/" }],
    ["that nobody tells", {}],
  ] as const) {
    test.describe(name, () => {
      let node: RunningServer | undefined;
      let proxy: RunningHost | undefined;
      let home: string;
      /** Prefix of links. Relative links are also correct. */
      let base: string;
      test.beforeAll(async () => {
        node = await startServer({ dataset: DATASET_FOLDER, page: PAGE_FOLDER, port: 0, ...options });
        proxy = await startProxy(node.url);
        home = proxy.url + proxy.path;
        base = "publicUrl" in options ? options.publicUrl : home;
      });
      test.afterAll(async () => {
        await proxy?.close();
        await node?.close();
      });
      const resolved = (link: string | undefined, asked: string) => new URL(link ?? "none", asked).href;

      test("links, redirects and documents use the callers' address", async () => {
        const evil = { "X-Forwarded-Prefix": "/evil", "X-Forwarded-Host": "evil.example" };
        const page = await ask(`${home}places?country=MC&limit=5`, evil);
        const next = /<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1];
        const linked = new URL(resolved(next, `${home}places`));
        expect(linked.searchParams.get("release")).toMatch(/^\w+$/);
        linked.searchParams.delete("release");
        expect(linked.href).toBe(`${base}places?country=MC&limit=5&page=1`);
        const docs = await ask(`${home}docs`);
        expect([docs.status, resolved(docs.headers.location, `${home}docs`)]).toEqual([302, `${base}docs/`]);
        const { links } = JSON.parse((await ask(home)).body.toString());
        expect(resolved(links["/places/brands"], home)).toBe(`${base}places/brands`);
        const { servers } = JSON.parse((await ask(`${home}openapi.json`)).body.toString());
        expect(`${resolved(servers[0].url, `${home}openapi.json`).replace(/\/$/, "")}/`).toBe(base);
        expect((await ask(`${proxy?.url}maps`)).headers.location).toBe("/maps/");
      });

      test("a link leads to the next page", async () => {
        const asked = `${home}places?country=MC&limit=5`;
        const first = JSON.parse((await ask(asked)).body.toString());
        const { headers } = await ask(asked);
        const next = resolved(/<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1], asked).replace(base, home);
        const second = JSON.parse((await ask(next)).body.toString());
        expect([first.length, second.length, second[0].id > first[4].id]).toEqual([5, 5, true]);
      });

      test("answers are compressed, and the page searches", async ({ page }) => {
        const large = await ask(`${home}places?country=MC`, { "Accept-Encoding": "gzip" });
        expect([large.headers["content-encoding"], large.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
        expect(JSON.parse(gunzipSync(large.body).toString()).length).toBe(Number(large.headers["pagination-count"]));
        await page.goto(`${home}#/places?lat=43.7347&lng=7.4206&radius=300`);
        await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
      });
    });
  }
});
