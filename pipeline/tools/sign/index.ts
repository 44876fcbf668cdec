export { KEY_VARIABLE, readSigningKey, type SigningKey, writeNewKey } from "./private-key.ts";
export {
  checkSigned,
  readSigned,
  removeSignatures,
  signatureLine,
  signDataset,
} from "./sign-dataset.ts";
