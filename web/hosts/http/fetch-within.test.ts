import { expect, test } from "vitest";
import { fetchWithin } from "./fetch-within.ts";

const FILE = new URL("https://data.example/dataset/manifest.json");

/** A browser's `fetch`: it hides the target of a redirect, and reports only the final URL. */
function browser(end: string | TypeError) {
  const modes: (string | undefined)[] = [];
  const request = async (_: unknown, { redirect, mode }: RequestInit = {}) => {
    modes.push(redirect ?? mode);
    if (redirect === "manual") return Object.defineProperties(new Response(), { type: { value: "opaqueredirect" } });
    if (end instanceof TypeError) throw end;
    return Object.defineProperties(new Response("whole"), { url: { value: end } });
  };
  return { request, modes };
}

test("a browser follows redirects within the origin; for another origin the error names both", async () => {
  const within = browser("https://data.example/v2/manifest.json");
  expect(await (await fetchWithin(FILE, {}, within.request)).text()).toBe("whole");
  expect(within.modes).toEqual(["manual", "cors"]);
  await expect(fetchWithin(FILE, {}, browser("https://stranger.example/m").request)).rejects.toThrow(
    "it redirects from https://data.example to another origin, https://stranger.example",
  );
});

test("a redirect that the browser does not follow is a redirect error, not an outage", async () => {
  const refused = fetchWithin(FILE, {}, browser(new TypeError("Failed to fetch")).request);
  await expect(refused).rejects.toThrow("it redirects outside https://data.example");
  await expect(refused).rejects.toThrow(expect.objectContaining({ name: "RedirectError", status: 0 }));
});
