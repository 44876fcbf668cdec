import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand, fetchCall } from "./calls.ts";

const URL_WITH_QUOTES = "http://127.0.0.1/places?name=l'%22eau%22&country=MC";

test("the command passes the URL as one word, with any content", () => {
  const said = execFileSync("sh", ["-c", curlCommand(URL_WITH_QUOTES).replace("curl", "printf '[%s]'")], {
    encoding: "utf8",
  });
  expect(decodeURI(said)).toBe(`[${decodeURI("http://127.0.0.1/places?name=l%27%22eau%22&country=MC")}]`);
});

test("the program requests the URL", async () => {
  const asked: unknown[] = [];
  const fetch = async (url: unknown) => {
    asked.push(url);
    return new Response("[]");
  };
  const run = new Function("fetch", `return (async () => { ${fetchCall(URL_WITH_QUOTES)} return records; })()`);
  expect(await run(fetch)).toEqual([]);
  expect(asked).toEqual([URL_WITH_QUOTES]);
});
