/**
 * `npm run bench:meanings`: whether the categories that people mean come first, and the time of a look-up.
 * @module
 */
import { readOptions } from "../../support/options.ts";
import { measureRates, type Rate, readEverydayWords, readHeldIntents, readOwnIntents } from "../../words/rates.ts";
import { BENCHMARKS, writeResult } from "../results.ts";

const { values } = readOptions({
  usage: `npm run bench:meanings [-- --missed] [--write]\n\n--missed lists the texts whose category is not first, --write puts the table into ${BENCHMARKS}.`,
  options: { missed: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const percent = (some: number, all: number): string => `${((100 * some) / all).toFixed(0)} %`;

function rowOf(kind: string, { language, texts, first, three, five, milliseconds }: Rate): string {
  const at = (share: number) => (milliseconds[Math.floor(milliseconds.length * share)] ?? 0).toFixed(1);
  const shares = [first, three, five].map((some) => percent(some, texts));
  return `| ${[kind, language, texts, ...shares, `${at(0.5)}, ${at(0.9)}`].join(" | ")} |`;
}

const measured = {
  "everyday word": await measureRates(await readEverydayWords()),
  intent: await measureRates(await readHeldIntents()),
  "second set": await measureRates(await readOwnIntents()),
};
const rows = Object.entries(measured).flatMap(([kind, rates]) => rates.map((rate) => rowOf(kind, rate)));
for (const row of rows) console.log(row);
for (const { missed } of values.missed ? Object.values(measured).flat() : [])
  for (const text of missed) console.log(text);
if (values.write) {
  const head =
    "Written by `npm run bench:meanings`. All categories are candidates, without counts of places. No phrase of a list has all words of an intent.\n\n| text | language | texts | first | first three | first five | ms, median and 90th percentile |\n|---|---|---|---|---|---|---|";
  await writeResult({ name: "meanings", command: "npm run bench:meanings" }, `${head}\n${rows.join("\n")}`);
}
