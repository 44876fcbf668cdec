import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ask } from "./ask.ts";
import { isInstalled, startProxy } from "./recipes.ts";

test.skipIf(!isInstalled("nginx"))("the proxy replaces all headers that a trusting host reads", async () => {
  const host = createServer(({ headers }, answer) => answer.end(JSON.stringify(headers)));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const proxy = await startProxy(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  try {
    const names = ["For", "Proto", "Host", "Prefix"].map((name) => `X-Forwarded-${name}`);
    const { body } = await ask(`${proxy.url}maps/`, Object.fromEntries(names.map((name) => [name, "forged"])));
    const seen: Record<string, string> = JSON.parse(body.toString());
    expect(names.map((name) => seen[name.toLowerCase()])).toEqual([
      "127.0.0.1",
      "http",
      new URL(proxy.url).host,
      "/maps",
    ]);
  } finally {
    await proxy.close();
    await new Promise((resolve) => host.close(resolve));
  }
});
