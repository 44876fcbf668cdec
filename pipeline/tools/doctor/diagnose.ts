import { randomBytes } from "node:crypto";
import { messageOf } from "../../../data/format/message-of.ts";
import { type PublicKey, parseKeys } from "../../../data/format/signature.ts";
import { HOST_LIMITS } from "../../../web/site/host-limits.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type Answer, type Ask, ask as askHost, isHtml } from "./ask.ts";
import { checkAnswer, checkMissing, type Finding } from "./check-answer.ts";
import { checkPack, missingFile, packsOf } from "./check-pack.ts";
import { checkDatasetPolicy, checkPolicy } from "./check-policy.ts";
import { checkSignature } from "./check-signature.ts";
import { type Dataset, findSite, type NamedSlice, namedSlices, type Page } from "./site.ts";

interface DiagnoseOptions {
  /** Checks all slices of the dataset. By default, only dictionaries and the first partition of each run. */
  readonly isAll?: boolean;
  readonly ask?: Ask;
  /** Public keys, one of which must have signed the dataset. Default: the keys in the page. */
  readonly keys?: readonly PublicKey[] | undefined;
}

/** Lines about what was checked, and the faults. */
export interface Diagnosis {
  readonly looked: readonly string[];
  readonly findings: readonly Finding[];
}

const PARALLEL = 6;
const WORKER = /worker-[\w-]+\.js$/;

/**
 * Checks how a host serves the site or dataset at the address. Returns what was checked, and the faults. Throws if the
 * host does not answer, or if the address has neither a page of Cairn nor a dataset.
 */
export async function diagnose(address: URL, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { isAll = false, ask = askHost } = options;
  const { page, dataset, datasetProblem } = await findSite(address, ask);
  if (!page && !dataset)
    throw new CodedError("CAIRN_E_HOST", `${address} is neither a page of Cairn nor a dataset: ${datasetProblem}`);
  const looked: string[] = [];
  const findings: Finding[] = [];
  if (page) {
    findings.push(...checkSecure(page.base), ...(await checkPage(page, ask)));
    looked.push(`page ${page.base}: ${page.assets.length} files`);
  }
  if (dataset) {
    const { checked, found } = await checkDataset(dataset, isAll, ask);
    findings.push(...found);
    if (page?.base.origin === dataset.base.origin) findings.push(...checkDatasetPolicy(dataset.manifestAnswer));
    const pinned = page?.key === undefined ? undefined : parseKeys(page.key);
    const signature = await checkSignature(dataset, options.keys ?? pinned, ask);
    findings.push(...signature.findings);
    looked.push(`dataset ${dataset.base}: release ${dataset.manifest.release}, ${checked} files`, ...signature.lines);
  } else {
    findings.push({
      check: "dataset",
      what: `the page has no dataset: ${datasetProblem}`,
      advice: "put the dataset into dataset/ in the page's folder, or build the page with --dataset and its address",
    });
  }
  return { looked, findings: summarised(findings) };
}

function checkSecure(base: URL): Finding[] {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(base.hostname);
  if (base.protocol === "https:" || isLocal) return [];
  return [
    {
      check: "insecure",
      what: `${base} is not secure`,
      advice: "serve the page by https:: without it browsers give no service worker, no cache and no crypto.subtle",
    },
  ];
}

async function checkPage({ base, index, serviceWorker, assets, elsewhere }: Page, ask: Ask): Promise<Finding[]> {
  const policyOf = (kind: "page" | "worker", answer: Answer) => checkPolicy(answer, { kind, dataset: elsewhere });
  const assetFindings = await inParallel(assets, async (url) => {
    const answer = await ask(url);
    if (answer.status !== 200 || (isHtml(answer.body) && !url.pathname.endsWith(".html"))) return [missingFile(answer)];
    return [...checkAnswer("asset", answer), ...(WORKER.test(url.pathname) ? policyOf("worker", answer) : [])];
  });
  return [
    ...checkAnswer("page", index),
    ...checkAnswer("service-worker", serviceWorker),
    ...policyOf("page", index),
    ...policyOf("worker", serviceWorker),
    ...assetFindings,
    ...checkMissing(await ask(new URL(`assets/missing-${randomBytes(4).toString("hex")}.js`, base))),
  ];
}

async function checkDataset(
  dataset: Dataset,
  isAll: boolean,
  ask: Ask,
): Promise<{ checked: number; found: readonly Finding[] }> {
  const slices: NamedSlice[] = [];
  const index: Finding[] = [];
  try {
    for await (const slice of namedSlices(dataset, isAll, ask)) slices.push(slice);
  } catch (error) {
    const reason = messageOf(error);
    index.push({
      check: "index",
      what: `${dataset.base}: ${reason}`,
      advice: "build the dataset again and upload all of it",
    });
  }
  const packs = packsOf(slices);
  const sizes: SizedFile[] = [];
  const found = await inParallel([...packs.entries()], async ([index, pack]) => {
    // One complete pack shows how the host answers without a range.
    const { findings, bytes } = await checkPack(pack, isAll || index === 0, ask);
    sizes.push({ url: pack.url, bytes: bytes ?? 0 });
    return [...findings];
  });
  const nobody = new URL(`place/country=ZZ/geohash=-/${randomBytes(8).toString("hex")}.parquet`, dataset.base);
  return {
    checked: packs.length + 1,
    found: [
      ...checkAnswer("manifest", dataset.manifestAnswer),
      ...index,
      ...found,
      ...checkMissing(await ask(nobody)),
      ...checkLimits(dataset.base, sizes),
    ],
  };
}

const KNOWN_HOSTS: readonly (readonly [domain: RegExp, host: string])[] = [
  [/\.pages\.dev$/, "Cloudflare Pages (free)"],
  [/\.github\.io$/, "GitHub Pages"],
];

interface SizedFile {
  readonly url: URL;
  readonly bytes: number;
}

/**
 * Returns a finding for each file that is larger than the host accepts. `hostname` tells the host; unknown hosts have
 * no limit.
 */
export function checkLimits({ hostname }: URL, files: readonly SizedFile[]): Finding[] {
  const name = KNOWN_HOSTS.find(([domain]) => domain.test(hostname))?.[1];
  const maxBytes = HOST_LIMITS.find(({ host }) => host === name)?.maxFileBytes ?? Number.POSITIVE_INFINITY;
  return files
    .filter(({ bytes }) => bytes > maxBytes)
    .map(({ url, bytes }) => ({
      check: "too-large",
      what: `${url} has ${bytes} bytes; ${name} accepts at most ${maxBytes} per file`,
      advice:
        "build the dataset with a smaller --pack-size, or put it on a host without this limit (object storage, a server) and build the page with --dataset and its address",
    }));
}

/** Returns one finding per check with the number of others like it, because a host has the same fault for all files. */
function summarised(findings: readonly Finding[]): Finding[] {
  const byCheck = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.check} ${finding.advice}`;
    byCheck.set(key, [...(byCheck.get(key) ?? []), finding]);
  }
  return [...byCheck.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    return [others.length === 0 ? first : { ...first, what: `${first.what} (and ${others.length} more like it)` }];
  });
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<Finding[]>): Promise<Finding[]> {
  const found: Finding[][] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) found[index] = await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return found.flat();
}
