import { expect, test } from "vitest";
import { closePanel, openPanel, panel } from "./panel.ts";

test("a panel that closes late leaves the panel that was opened meanwhile", () => {
  openPanel("console");
  openPanel("files");
  closePanel("console");
  expect(panel.value).toBe("files");
  closePanel("files");
  expect(panel.value).toBeUndefined();
});
