import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

const { remote } = vi.hoisted(() => ({ remote: vi.fn() }));
vi.mock("../worker/index.ts", () => ({ remote }));
vi.mock("../state/index.ts", () => ({ dataset: signal({}), isOnline: signal(true), networkState: signal("on") }));

const { activities, finishRemovals, keepArea, loadAreas, overview, removals, removeArea, saveArea } = await import(
  "./saved-areas.ts"
);

let held: string[];
let fault: Error | undefined;
beforeEach(async () => {
  held = ["monaco", "boulder"];
  fault = undefined;
  remote.mockReset();
  remote.mockImplementation(async (name: string, id: string) => {
    if (name === "areas") return { areas: held.map((each) => ({ id: each })), boxes: {} };
    if (fault) throw fault;
    if (name === "removeArea") held = held.filter((each) => each !== id);
    return { kind: "saved" };
  });
  await loadAreas();
});

const listed = () => overview.value?.areas.map(({ id }) => id);

test("an area is removed when the user leaves the list, but not a restored one", async () => {
  removeArea("monaco");
  removeArea("boulder");
  keepArea("boulder");
  expect(remote).toHaveBeenCalledTimes(1);
  await finishRemovals();
  expect(held).toEqual(["boulder"]);
  expect(listed()).toEqual(["boulder"]);
  expect(removals.value).toEqual([]);
  await finishRemovals();
  expect(remote.mock.calls.filter(([name]) => name === "removeArea")).toHaveLength(1);
});

test("an area that cannot be removed is in the list again, with the reason", async () => {
  fault = new Error("the store is closed");
  removeArea("monaco");
  const finished = finishRemovals();
  expect(listed()).toEqual(["boulder"]);
  await finished;
  expect(listed()).toEqual(["monaco", "boulder"]);
  expect(activities.value.monaco).toMatchObject({ kind: "failed" });
  fault = undefined;
  removeArea("monaco");
  await finishRemovals();
  expect(listed()).toEqual(["boulder"]);
  expect(activities.value.monaco).toBeUndefined();
});

test("saving can use the space of areas removed before", async () => {
  removeArea("monaco");
  await saveArea("boulder");
  const changes = remote.mock.calls.map(([name]) => name).filter((name) => name !== "areas");
  expect(changes).toEqual(["removeArea", "saveArea"]);
});
