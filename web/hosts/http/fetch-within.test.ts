import { expect, test } from "vitest";
import { fetchWithin } from "./fetch-within.ts";

const FILE = new URL("https://data.example/dataset/manifest.json");

/** A browser's `fetch`: it hides where a redirect leads, and says at last where the answer came from. */
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

test("a browser follows within the origin; where it comes to another, both are named", async () => {
  const within = browser("https://data.example/v2/manifest.json");
  expect(await (await fetchWithin(FILE, {}, within.request)).text()).toBe("whole");
  expect(within.modes).toEqual(["manual", "cors"]);
  await expect(fetchWithin(FILE, {}, browser("https://stranger.example/m").request)).rejects.toThrow(
    "it redirects from https://data.example to another origin, https://stranger.example",
  );
});

test("what the browser refuses to follow is a redirect, and no outage", async () => {
  const refused = fetchWithin(FILE, {}, browser(new TypeError("Failed to fetch")).request);
  await expect(refused).rejects.toThrow("it redirects, and not within https://data.example");
  await expect(refused).rejects.toThrow(expect.objectContaining({ name: "RedirectError", status: 0 }));
});
