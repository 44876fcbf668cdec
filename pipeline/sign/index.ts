export { KEY_VARIABLE, readSigningKey, type SigningKey, writeNewKey } from "./private-key.ts";
export {
  checkSigned,
  readSigned,
  removeSignatures,
  type SignedRelease,
  signatureLine,
  signDataset,
} from "./sign-dataset.ts";
