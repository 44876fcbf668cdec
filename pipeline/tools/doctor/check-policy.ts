import { contentSecurityPolicy, DATASET_POLICY } from "../../../web/hosts/http/index.ts";
import type { Answer } from "./ask.ts";
import type { Finding } from "./check-answer.ts";

/** Sources of a Content-Security-Policy that are too wide: they allow any host, or text as code. */
const TOO_WIDE: Readonly<Record<string, RegExp>> = {
  "connect-src": /^(\*|https?:|wss?:)$/,
  "script-src": /^(\*|https?:|data:|blob:|'unsafe-eval'|'unsafe-inline')$/,
};

interface PolicyOptions {
  /** Which file was answered. A worker has the policy of its own script, not that of the page. */
  readonly kind: "page" | "worker";
  /** Address of the dataset if it is not in the page's folder. */
  readonly dataset: URL | undefined;
}

/**
 * Returns the faults of the answer's security headers: a Content-Security-Policy that is missing, too wide or does not
 * allow the dataset, no protection against frames, no `nosniff`. Empty unless the status is 200.
 */
export function checkPolicy(answer: Answer, { kind, dataset }: PolicyOptions): Finding[] {
  const { url, status, headers } = answer;
  if (status !== 200) return [];
  const findings: Finding[] = [];
  const find = (check: string, what: string, advice: string) =>
    findings.push({ check, what: `${url} ${what}`, advice });
  const send = `send Content-Security-Policy: ${contentSecurityPolicy("site", dataset?.href)}`;
  const policies = parse(headers["content-security-policy"]);
  const open = Object.entries(TOO_WIDE).filter(([directive, tooWide]) =>
    policies.every((policy) => (sourcesOf(policy, directive) ?? ["*"]).some((source) => tooWide.test(source))),
  );
  if (open.length > 0) {
    const lacks = policies.length === 0 ? "no Content-Security-Policy" : `a policy that leaves ${open[0]?.[0]} open`;
    find(
      "policy",
      `is sent with ${lacks}`,
      `${send} with every file: the policy in the page does not hold in its workers`,
    );
  } else if (dataset && !policies.every((policy) => lets(sourcesOf(policy, "connect-src"), dataset))) {
    find(
      "policy-dataset",
      `does not let the dataset be read: connect-src lacks ${dataset.origin}`,
      `${send} with every file`,
    );
  }
  if (kind === "page" && !policies.some((policy) => policy.has("frame-ancestors")) && !headers["x-frame-options"]) {
    find("framed", "may be shown in a frame of any site", `${send}: its frame-ancestors can only be a header`);
  }
  if (headers["x-content-type-options"] !== "nosniff") {
    find("sniffed", "may be read as another media type", "send X-Content-Type-Options: nosniff with every file");
  }
  return findings;
}

/**
 * Returns a fault if a page in the folder of the answered file could run scripts: there, it could read what the map page stores.
 * Empty unless the status is 200.
 */
export function checkDatasetPolicy({ url, status, headers }: Answer): Finding[] {
  if (status !== 200) return [];
  const isSafe = parse(headers["content-security-policy"]).some(
    (policy) => isSandbox(policy.get("sandbox")) || sourcesOf(policy, "script-src")?.join() === "'none'",
  );
  if (isSafe) return [];
  return [
    {
      check: "dataset-policy",
      what: `${url} is sent without a policy against scripts: a page in this folder could read what the map page stores`,
      advice: `send Content-Security-Policy: ${DATASET_POLICY} with every file of the dataset`,
    },
  ];
}

function isSandbox(flags: readonly string[] | undefined): boolean {
  return flags !== undefined && !flags.includes("allow-scripts");
}

type Policy = ReadonlyMap<string, readonly string[]>;

/** Returns the policies of the header. If there are several, all apply. */
function parse(header: string | string[] | undefined): Policy[] {
  return [header ?? []]
    .flat()
    .flatMap((text) => text.split(","))
    .map((text) => {
      const directives = text.split(";").map((directive) => directive.trim().toLowerCase().split(/\s+/));
      return new Map(directives.map(([name = "", ...sources]) => [name, sources]));
    });
}

function sourcesOf(policy: Policy, directive: string): readonly string[] | undefined {
  return policy.get(directive) ?? policy.get("default-src");
}

function lets(sources: readonly string[] | undefined, { origin, protocol }: URL): boolean {
  return !sources || sources.some((source) => source === "*" || source === protocol || source.startsWith(origin));
}
