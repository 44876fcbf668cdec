import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort, startTrapProxy } from "./trap-proxy.ts";

test("a browser that resets its tunnel does not end the proxy", { timeout: 10_000 }, async () => {
  const port = await freePort();
  const trap = await startTrapProxy(port);
  const socket = connect(port, "127.0.0.1");
  socket.write("CONNECT stranger.example:443 HTTP/1.1\r\nHost: stranger.example\r\n\r\n");
  await once(socket, "data");
  socket.resetAndDestroy();
  await setTimeout(100);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(502);
  expect(trap.asked).toContain("stranger.example");
  await trap.close();
});
