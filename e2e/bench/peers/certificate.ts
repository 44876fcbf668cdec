/**
 * A new certificate for the benchmark's host in each run, because browsers use HTTP/2 only with TLS.
 * @module
 */
import { createHash, X509Certificate } from "node:crypto";
import { generate } from "selfsigned";

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

/** Makes a self-signed certificate for 127.0.0.1. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { key, cert };
}

/** Returns Chromium's argument to trust only this certificate, so that responses are cached. */
export function trustArgument({ cert }: Certificate): string {
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(publicKey).digest("base64")}`;
}
