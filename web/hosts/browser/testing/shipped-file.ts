/** Replaces `virtual:shipped-files/<key>` in tests: a file that cannot be loaded. @module */
const missing: string = (() => {
  throw new Error("tests build no shipped files");
})();
export default missing;
