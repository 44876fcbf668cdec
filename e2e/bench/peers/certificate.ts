/**
 * A certificate for the host of the benchmark, made anew for each run: browsers speak HTTP/2 over TLS alone.
 * @module
 */
import { createHash, X509Certificate } from "node:crypto";
import { generate } from "selfsigned";

export interface Certificate {
  /** As PEM. */
  readonly key: string;
  /** As PEM. */
  readonly cert: string;
}

/** Signed by itself, for 127.0.0.1. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { key, cert };
}

/** Chromium's argument to take this one certificate as any other, so that it also caches what comes with it. */
export function trustArgument({ cert }: Certificate): string {
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(publicKey).digest("base64")}`;
}
