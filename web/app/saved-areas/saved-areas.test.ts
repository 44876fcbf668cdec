import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

const { remote } = vi.hoisted(() => ({ remote: vi.fn() }));
vi.mock("../worker/index.ts", () => ({ remote }));
vi.mock("../state/index.ts", () => ({ dataset: signal({}), isOnline: signal(true), networkState: signal("on") }));

const { activities, finishRemovals, keepArea, loadAreas, overview, removals, removeArea, saveArea } = await import(
  "./saved-areas.ts"
);

/** What the device holds: a call as the worker answers it. */
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

test("an area is removed when the reader leaves the list, and not one that was brought back", async () => {
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

test("one that cannot be removed stands in the list again, with the reason", async () => {
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

test("a saving has the room of what was removed before it", async () => {
  removeArea("monaco");
  await saveArea("boulder");
  const changes = remote.mock.calls.map(([name]) => name).filter((name) => name !== "areas");
  expect(changes).toEqual(["removeArea", "saveArea"]);
});
