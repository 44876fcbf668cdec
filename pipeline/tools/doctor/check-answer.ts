import { type Answer, ASKING_ORIGIN, freshSeconds, isHtml } from "./ask.ts";

/** One fault of a published site: the name of the check, what is wrong, and what to do. */
export interface Finding {
  readonly check: string;
  readonly what: string;
  readonly advice: string;
}

/** What was requested. A partition is a pack of the location run, a Parquet file. */
export type Kind = "page" | "service-worker" | "asset" | "manifest" | "pack" | "partition";

/** A month. Files with a hash in their name should be cached for at least this time. */
const LONG_SECONDS = 30 * 86_400;
/** Files that change but keep their name may be cached for at most this time. */
const SHORT_SECONDS = 600;

const HASHED: readonly Kind[] = ["asset", "pack", "partition"];
const DATA: readonly Kind[] = ["manifest", "pack", "partition"];

/** True if the file exists, completely or in part. */
const isThere = (status: number) => status === 200 || status === 206;

type Check = (kind: Kind, answer: Answer) => Omit<Finding, "check"> | undefined;

const CHECKS: Readonly<Record<string, Check>> = {
  redirect(_, { url, redirects }) {
    const strange = redirects.find(({ origin }) => origin !== url.origin);
    if (!strange) return undefined;
    const isSecured = strange.hostname === url.hostname;
    return {
      what: `${strange} redirects to another origin, ${url}`,
      advice: isSecured
        ? `use the address that begins with ${url.origin}`
        : "serve the file itself: a redirect to another origin costs a round trip, needs CORS there too, and stops the service worker",
    };
  },

  "service-worker": (kind, { url, redirects, status, headers }) => {
    if (kind !== "service-worker") return undefined;
    const type = headers["content-type"] ?? "no type";
    const control = headers["cache-control"] ?? "";
    if (status !== 200) {
      return {
        what: `${url} answers ${status}`,
        advice: "put service-worker.js into the page's own folder, which is its scope",
      };
    }
    if (redirects.length > 0) {
      return {
        what: `${redirects[0]} redirects to ${url}`,
        advice: "serve service-worker.js itself: browsers refuse a redirected one",
      };
    }
    if (!/^(text|application)\/(x-)?javascript/.test(type)) {
      return {
        what: `${url} is ${type}`,
        advice: "send .js as text/javascript: browsers refuse a service worker of another type",
      };
    }
    if (/no-store/i.test(control)) {
      return {
        what: `${url} is sent with no-store`,
        advice: "send it with Cache-Control: no-cache, so that browsers revalidate it without a new download",
      };
    }
    return undefined;
  },

  "page-cached": (kind, answer) => {
    if (kind !== "page" && kind !== "service-worker") return undefined;
    const seconds = freshSeconds(answer) ?? 0;
    if (seconds <= SHORT_SECONDS) return undefined;
    return {
      what: `${answer.url} may be cached for ${seconds} s`,
      advice:
        "send index.html and service-worker.js with Cache-Control: no-cache: an old page names files that a new site has no more",
    };
  },

  "manifest-cached": (kind, answer) => {
    if (kind !== "manifest") return undefined;
    const seconds = freshSeconds(answer) ?? 0;
    if (seconds <= SHORT_SECONDS) return undefined;
    return {
      what: `${answer.url} may be cached for ${seconds} s`,
      advice: "send manifest.json with Cache-Control: no-cache: an old one names files that a new release has no more",
    };
  },

  "hashed-not-cached": (kind, answer) => {
    if (!HASHED.includes(kind) || !isThere(answer.status)) return undefined;
    const seconds = freshSeconds(answer);
    if (seconds !== undefined && seconds >= LONG_SECONDS) return undefined;
    const kept = seconds === undefined ? "no Cache-Control" : `Cache-Control: ${answer.headers["cache-control"]}`;
    return {
      what: `${answer.url} is sent with ${kept}`,
      advice:
        "send files with a hash in their name with Cache-Control: public, max-age=31536000, immutable, no-transform",
    };
  },

  encoded: (kind, { url, status, headers }) => {
    const encoding = headers["content-encoding"];
    const isCompressed = kind === "partition" || kind === "pack" || /\.wasm\.z$/.test(url.pathname);
    if (!isThere(status) || !isCompressed || encoding === undefined || encoding === "identity") return undefined;
    return {
      what: `${url} is sent with Content-Encoding: ${encoding}`,
      advice:
        "do not compress .pack, .parquet and .wasm.z again: a range of what was compressed is one of other bytes, and some caches corrupt it",
    };
  },

  "wasm-type": (kind, { url, status, headers }) => {
    const type = headers["content-type"] ?? "no type";
    if (status !== 200 || kind !== "asset" || !/\.wasm(\.z)?$/.test(url.pathname)) return undefined;
    const isRight = /\.wasm$/.test(url.pathname)
      ? /^application\/wasm/.test(type)
      : /^application\/(wasm|octet-stream)/.test(type);
    if (isRight) return undefined;
    return {
      what: `${url} is ${type}`,
      advice:
        "send .wasm as application/wasm, and .wasm.z as application/octet-stream: hosts change what they take for text",
    };
  },

  "data-type": (kind, { url, status, headers }) => {
    const type = headers["content-type"] ?? "no type";
    const isData = kind === "partition" || kind === "pack";
    if (!isThere(status) || !isData || !/^(text\/|no type)|html|json|xml|javascript/.test(type)) return undefined;
    return {
      what: `${url} is ${type}`,
      advice:
        "send .parquet as application/vnd.apache.parquet, and .pack as application/octet-stream: hosts and caches compress and change what they take for text",
    };
  },

  cors: (kind, { url, status, headers }) => {
    const allowed = headers["access-control-allow-origin"];
    if (!isThere(status) || !DATA.includes(kind) || allowed === "*" || allowed === ASKING_ORIGIN) return undefined;
    return {
      what: `${url} may not be read by other origins: Access-Control-Allow-Origin is ${allowed ?? "missing"}`,
      advice:
        "send Access-Control-Allow-Origin: * with every file of the dataset; without it only pages of this origin can use it",
    };
  },

  cut: (_, { url, isCut, headers, body }) => {
    if (!isCut) return undefined;
    return {
      what: `${url} ends after ${body.length} bytes of ${headers["content-length"] ?? "an unknown length"}`,
      advice: "the host promises more than it sends: upload the file again, and look for a proxy that cuts answers",
    };
  },
};

/**
 * Returns a finding for each fault in the status, redirects, headers and length of an answer. `kind` says which file
 * was requested.
 */
export function checkAnswer(kind: Kind, answer: Answer): Finding[] {
  return Object.entries(CHECKS).flatMap(([check, look]) => {
    const found = look(kind, answer);
    return found ? [{ check, ...found }] : [];
  });
}

/**
 * Returns a finding if the answer to a request for a file that does not exist is not 403, 404 or 410, or may be cached
 * for more than 10 minutes.
 */
export function checkMissing(answer: Answer): Finding[] {
  const { url, status, body } = answer;
  if (status === 404 || status === 410 || status === 403) {
    const seconds = freshSeconds(answer) ?? 0;
    if (seconds <= SHORT_SECONDS) return [];
    return [
      {
        check: "missing-cached",
        what: `${url} does not exist, and its ${status} may be cached for ${seconds} s`,
        advice: "send the long Cache-Control with status 200 alone",
      },
    ];
  }
  return [
    {
      check: "missing-files",
      what: `${url} does not exist, and answers ${status}${isHtml(body) ? " with a web page" : ""}`,
      advice:
        "answer 404 for missing files: turn off the fallback to index.html that single-page applications use, or add a 404.html",
    },
  ];
}
