import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OVERTURE_CATALOG } from "../../data/format/overture-hosts.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { allowedRelease, contentSecurityPolicy } from "../hosts/http/index.ts";
import { allowRelease, parseAllowed } from "./allow-release.ts";
import { headerRules, headersFile } from "./headers.ts";

const newFolder = temporaryFolders();

const sources = (policy: string) => /connect-src ([^;]*)/.exec(policy)?.[1];

async function builtPage(): Promise<string> {
  const folder = await newFolder();
  const policy = contentSecurityPolicy("page").replaceAll("'", "&#39;");
  const html = `<!doctype html><head><meta http-equiv="Content-Security-Policy" content="${policy}"><title>é</title>`;
  await writeFile(join(folder, "index.html"), html);
  const revision = createHash("md5").update(html).digest("hex");
  await writeFile(join(folder, "service-worker.js"), `keep([{"revision":"${revision}","url":"index.html"}])`);
  return folder;
}

test("a page names the catalogue, allows requests to its hosts, and has a new revision for its service worker", async () => {
  const folder = await builtPage();
  await allowRelease(folder, parseAllowed("https://maps.example/o$1"));
  await allowRelease(folder, parseAllowed("https://maps.example/overture"));
  const html = await readFile(join(folder, "index.html"), "utf8");
  expect(allowedRelease(html)).toBe("https://maps.example/overture/catalog.json");
  expect(html.match(/cairn-overture/g)).toHaveLength(1);
  expect(sources(html.replaceAll("&#39;", "'"))).toBe("'self' https://maps.example");
  const revision = createHash("md5").update(html).digest("hex");
  expect(await readFile(join(folder, "service-worker.js"), "utf8")).toBe(
    `keep([{"revision":"${revision}","url":"index.html"}])`,
  );
});

test("Overture's own hosts are allowed only with the flag", () => {
  const hosts =
    "https://stac.overturemaps.org https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com https://overturemapswestus2.blob.core.windows.net";
  expect(parseAllowed("")).toBe(OVERTURE_CATALOG);
  expect(sources(contentSecurityPolicy("site", undefined, OVERTURE_CATALOG))).toBe(`'self' ${hosts}`);
  expect(headersFile(headerRules([], undefined, OVERTURE_CATALOG))).toContain(hosts);
  expect(sources(contentSecurityPolicy("site", undefined, undefined))).toBe("'self'");
  expect(headersFile(headerRules([]))).not.toContain("overture");
});

test.each(["mirror", "s3://bucket/", "file:///mnt/", "https://a.example/;script-src *", 'https://a.example/"'])(
  "%s is not a valid mirror",
  (mirror) => {
    expect(() => parseAllowed(mirror)).toThrow(
      `--allow-overture takes the https: or http: URL of a mirror, got ${mirror}`,
    );
  },
);

test("a page whose service worker is from another build is refused", async () => {
  const folder = await builtPage();
  await writeFile(join(folder, "service-worker.js"), "keep([])");
  await expect(allowRelease(folder, OVERTURE_CATALOG)).rejects.toThrow("has no entry for this index.html");
});
