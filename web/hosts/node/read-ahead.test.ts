import { expect, test } from "vitest";
import { createBodies } from "./read-ahead.ts";

function bodyOf(pieces: readonly (Uint8Array | Error)[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece instanceof Error) controller.error(piece);
      else if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}

const KILOBYTE = new Uint8Array(1024);
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a body that fails also fails for its caller, and frees its slot", async () => {
  const bodies = createBodies({ bodyBytes: 1024 * 1024, unread: 1 });
  let written = 0;
  const body = bodies.readAhead(bodyOf([KILOBYTE, KILOBYTE, new Error("no more")]), {
    peer: "a",
    onWritten: () => written++,
  });
  await expect(new Response(body).arrayBuffer()).rejects.toThrow("no more");
  expect([written, bodies.heldBytes(), bodies.unread()]).toEqual([1, 0, 0]);
});

test("one address has at most half of the bytes, and other answers continue", async () => {
  const bodies = createBodies({ bodyBytes: 64 * 1024, unread: 100 });
  const ask = (peer: string) => bodies.readAhead(bodyOf(Array(40).fill(KILOBYTE)), { peer, onWritten: () => {} });
  const silent = Array.from({ length: 10 }, () => ask("a"));
  await settled();
  // a piece of each answer is always written
  expect(bodies.heldBytes()).toBeLessThanOrEqual((32 + 10) * 1024);
  const before = bodies.heldBytes();
  ask("b");
  await settled();
  expect(bodies.heldBytes() - before).toBe(8 * 1024);
  for (const body of silent) expect((await new Response(body).arrayBuffer()).byteLength).toBe(40 * 1024);
  expect(bodies.heldBytes()).toBe(8 * 1024);
});

test("answers with slow readers give up their slots, up to the limit of waiting answers", async () => {
  const bodies = createBodies({ bodyBytes: 16 * 1024, unread: 2 });
  const written: number[] = [];
  const answers = [0, 1, 2].map((index) =>
    bodies.readAhead(bodyOf(Array(40).fill(KILOBYTE)), { peer: String(index), onWritten: () => written.push(index) }),
  );
  await settled();
  expect([written, bodies.unread(), bodies.blocked()]).toEqual([[0, 1], 2, 1]);
  await answers[0]?.cancel();
  await settled();
  expect([written, bodies.unread(), bodies.blocked()]).toEqual([[0, 1, 2], 2, 0]);
});
