import { expect, test } from "vitest";
import type { ByteSource, ReadOptions } from "../../engine/contract/ports.ts";
import { joinRanges } from "./join-ranges.ts";

const range = (start: number, end: number) => ({ start, end });
const FILE = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);

function counting(answer: (options: ReadOptions) => Promise<Uint8Array> | Uint8Array = whatIsAsked) {
  const asked: ReadOptions[] = [];
  const inner: ByteSource = {
    name: "counting",
    async read(_, options = {}) {
      asked.push(options);
      return answer(options);
    },
  };
  return { source: joinRanges(inner), asked };
}
function whatIsAsked({ range: wanted }: ReadOptions) {
  return FILE.slice(wanted?.start, wanted?.end);
}

test("twenty-five blocks near each other are one request; distant ones one each; each gets its own bytes", async () => {
  const { source, asked } = counting();
  const near = Array.from({ length: 25 }, (_, index) => range(index * 2048, (index + 1) * 2048));
  const far = range(90_000, 92_048);
  const read = await Promise.all([...near, far].map((wanted) => source.read("a", { range: wanted })));
  expect(asked.map(({ range: wanted }) => wanted)).toEqual([range(0, 25 * 2048), far]);
  for (const [index, wanted] of [...near, far].entries()) {
    expect(read[index]).toEqual(FILE.slice(wanted.start, wanted.end));
    // transferring one buffer must not affect the others
    expect(read[index]?.buffer.byteLength).toBe(2048);
  }
});

test("different files, later, fresh and whole reads are separate requests", async () => {
  const { source, asked } = counting();
  await Promise.all([
    source.read("a", { range: range(0, 9) }),
    source.read("b", { range: range(9, 19) }),
    source.read("a", { range: range(9, 19), fresh: true }),
    source.read("a"),
  ]);
  await source.read("a", { range: range(19, 29) });
  expect(asked).toHaveLength(5);
});

test("a single range is requested unchanged", async () => {
  const { source, asked } = counting();
  const isSound = async () => true;
  await source.read("a", { range: range(0, 9), isSound, sha256: "x" });
  expect(asked).toEqual([{ range: range(0, 9), isSound, sha256: "x" }]);
});

test("a failure is reported to all waiting callers, and to no later ones", async () => {
  let isUp = false;
  const { source } = counting((options) => {
    if (!isUp) throw new TypeError("no network");
    return whatIsAsked(options);
  });
  const ends = await Promise.allSettled(
    [range(0, 9), range(9, 19)].map((wanted) => source.read("a", { range: wanted })),
  );
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isUp = true;
  expect(await source.read("a", { range: range(0, 9) })).toHaveLength(9);
});

test("too few bytes are returned as received", async () => {
  const page = new TextEncoder().encode("<!doctype html>");
  const { source } = counting(() => page);
  for (const read of await Promise.all(
    [range(0, 5), range(5, 9)].map((wanted) => source.read("a", { range: wanted })),
  )) {
    expect(read).toEqual(page);
  }
});

test("too few bytes are never those of one of the ranges", async () => {
  const { source } = counting(() => new Uint8Array(5));
  const reads = [range(0, 5), range(5, 10)].map((wanted) => source.read("a", { range: wanted }));
  expect((await Promise.all(reads)).map(({ length }) => length)).toEqual([4, 4]);
});

test("an abort affects one caller; the request is aborted after all have left", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  let answer = () => {};
  const { source } = counting(async (options) => {
    signals.push(options.signal);
    await new Promise<void>((resolve, reject) => {
      answer = resolve;
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
    });
    return whatIsAsked(options);
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const read = (wanted: ReturnType<typeof range>, { signal }: AbortController) =>
    source.read("a", { range: wanted, signal });
  const [one, two] = [read(range(0, 9), first), read(range(9, 19), second)];
  await expect.poll(() => signals.length).toBe(1);
  first.abort();
  await expect(one).rejects.toMatchObject({ name: "AbortError" });
  expect(signals[0]?.aborted).toBe(false);
  answer();
  expect(await two).toHaveLength(10);

  const both = [read(range(0, 9), new AbortController()), read(range(9, 19), second)];
  const third = new AbortController();
  const gone = [read(range(50_000, 50_009), third), read(range(50_009, 50_019), third)];
  const ends = Promise.allSettled([...both, ...gone]);
  await expect.poll(() => signals.length).toBe(3);
  third.abort();
  await expect(gone[0]).rejects.toMatchObject({ name: "AbortError" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, true]);
  second.abort();
  await expect(both[1]).rejects.toMatchObject({ name: "AbortError" });
  expect(signals[1]?.aborted).toBe(false);
  const early = new AbortController();
  early.abort();
  await expect(read(range(0, 9), early)).rejects.toMatchObject({ name: "AbortError" });
  void ends;
});
