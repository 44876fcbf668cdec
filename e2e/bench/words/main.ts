/**
 * `npm run bench:words`: measures quality and cost of the search box, compared with two in-memory programs.
 * @module
 */
import { DATASET_FOLDER } from "../../support/folders.ts";
import { readOptions } from "../../support/options.ts";
import { BENCHMARKS, writeResult } from "../results.ts";
import { type Corpus, makeCorpora } from "./corpora.ts";
import { readDocuments } from "./documents.ts";
import { type Asked, allWords, cairn, miniSearch, type Peer } from "./peers.ts";

const USAGE = `npm run bench:words [-- --dataset <folder>] [--size <questions of a corpus>] [--corpus <part of its name>] [--peer <name>]
  [--seed <of the questions>] [--latency <ms>] [--megabits <per second>] [--missed] [--write]

--missed  print the texts that Cairn does not find
--write   store the table for ${BENCHMARKS}`;

const { values, refuse } = readOptions({
  usage: USAGE,
  options: {
    dataset: { type: "string", default: DATASET_FOLDER },
    size: { type: "string", default: "60" },
    seed: { type: "string", default: "1042" },
    corpus: { type: "string", default: "" },
    peer: { type: "string", default: "" },
    latency: { type: "string", default: "50" },
    megabits: { type: "string", default: "20" },
    missed: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

function numberOf(name: "size" | "seed" | "latency" | "megabits", least: number): number {
  const value = Number(values[name]);
  return Number.isFinite(value) && value >= least
    ? value
    : refuse(`--${name} ${values[name]}: expected a number from ${least} on`);
}

interface Measured {
  readonly first: number;
  readonly five: number;
  readonly cold: readonly Asked[];
  readonly warm: readonly Asked[];
}

async function measure(peer: Peer, { questions }: Corpus): Promise<Measured> {
  let [first, five] = [0, 0];
  const [cold, warm]: [Asked[], Asked[]] = [[], []];
  for (const { texts, isRight, ...question } of questions) {
    const reader = await peer.open();
    for (const text of texts) {
      const asked = await reader.ask(question, text);
      cold.push(asked);
      const place = asked.answers.findIndex((answer) => isRight(answer));
      if (place === 0) first++;
      if (place >= 0) five++;
      else if (values.missed && peer.name === "Cairn") {
        console.log(
          `  ${text}${question.near ? "" : " (nowhere)"}: wanted ${question.wanted}, got ${asked.answers.map(({ kind, name }) => `${kind} ${name}`).join(" | ")}`,
        );
      }
      warm.push(await reader.ask(question, text));
    }
  }
  return { first: first / cold.length, five: five / cold.length, cold, warm };
}

function middle(asked: readonly Asked[], of: (one: Asked) => number, share = 0.5): number {
  const sorted = asked.map(of).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;
const MOST = 0.9;

function rowOf(corpus: Corpus, peer: Peer, { first, five, cold, warm }: Measured): string {
  const kilobytes = ({ bytes }: Asked) => bytes / 1000;
  const time = ({ milliseconds }: Asked) => milliseconds;
  const cells = [
    `${corpus.name}, ${cold.length}`,
    peer.name,
    percent(first),
    percent(five),
    `${middle(cold, kilobytes).toFixed(0)}, ${middle(cold, kilobytes, MOST).toFixed(0)}`,
    middle(cold, ({ requests }) => requests).toFixed(0),
    `${middle(cold, time).toFixed(0)}, ${middle(cold, time, MOST).toFixed(0)}`,
    `${middle(warm, time).toFixed(1)}, ${middle(warm, time, MOST).toFixed(1)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

const network = { latencyMs: numberOf("latency", 0), megabitsPerSecond: numberOf("megabits", 0) };
const size = numberOf("size", 4);
const seed = numberOf("seed", 0);
const documents = await readDocuments(values.dataset);
const corpora = (await makeCorpora(documents, { size, seed })).filter(({ name }) => name.includes(values.corpus));
if (corpora.length === 0) refuse(`--corpus ${values.corpus}: no corpus is called so`);
const makers = {
  Cairn: () => cairn(values.dataset, network),
  MiniSearch: () => miniSearch(documents),
  "all words": () => allWords(documents),
};
const peers = Object.entries(makers).flatMap(([name, make]) => (["", name].includes(values.peer) ? [make()] : []));
if (peers.length === 0) refuse(`--peer ${values.peer}: expected one of ${Object.keys(makers).join(", ")}`);
const rows: string[] = [];
for (const corpus of corpora) {
  for (const peer of peers) {
    const row = rowOf(corpus, peer, await measure(peer, corpus));
    console.log(row);
    rows.push(row);
  }
}
const report = [
  `Written by \`npm run bench:words\`. ${documents.length.toLocaleString("en")} documents, ${network.latencyMs} ms and ${network.megabitsPerSecond} Mbit/s, Node. Each question asks for five answers. Questions of seed ${seed}; no parameter was tuned on seed 1042. Bytes, requests and time of a cold text exclude the manifest. Two figures are median and 90th percentile.`,
  `Loaded before the first answer: ${peers.map(({ name, before }) => `${name}: ${before}`).join("; ")}. A program with all of it in memory needs processor time only.`,
  "| what is typed, texts | who | first | first five | cold, KB | requests | cold, ms | warm, ms |\n|---|---|---|---|---|---|---|---|",
].join("\n\n");
if (values.write) {
  const section = { name: "words", command: "npm run bench:words" };
  await writeResult(section, `${report}\n${rows.join("\n")}`);
}
