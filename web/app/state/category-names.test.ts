import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

const { remote } = vi.hoisted(() => ({ remote: vi.fn() }));
vi.mock("../worker/index.ts", () => ({ remote }));
vi.mock("./session.ts", () => ({ dataset: signal({}), isSearching: signal(false) }));

const { startCategoryNames } = await import("./category-names.ts");
const { categoryNames, kindText, language } = await import("../text/index.ts");
const session = await import("./session.ts");
const isSearching = session.isSearching as ReturnType<typeof signal<boolean>>;

beforeEach(() => void remote.mockReset());

async function search(): Promise<void> {
  isSearching.value = true;
  isSearching.value = false;
  await new Promise((resolve) => setTimeout(resolve));
}

test("names that fail to load are requested again after the next search, and names in another language are dropped", async () => {
  startCategoryNames();
  await search();
  expect(remote).not.toHaveBeenCalled();

  remote.mockResolvedValueOnce(new Map([["pharmacy", "Apotheke"]]));
  language.value = "de";
  await search();
  await search();
  expect(remote.mock.calls).toEqual([["categoryNames", "de"]]);
  expect(kindText("pharmacy")).toBe("Apotheke");

  remote.mockRejectedValueOnce(new Error("no network"));
  language.value = "fr";
  await new Promise((resolve) => setTimeout(resolve));
  expect(kindText("pharmacy")).toBe("Pharmacy");
  remote.mockResolvedValueOnce(new Map());
  await search();
  remote.mockResolvedValueOnce(new Map([["pharmacy", "Pharmacie"]]));
  await search();
  await search();
  expect(remote).toHaveBeenCalledTimes(4);
  expect(kindText("pharmacy")).toBe("Pharmacie");

  language.value = "en";
  await search();
  expect(categoryNames.value.size).toBe(0);
});
