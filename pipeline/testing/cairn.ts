/**
 * What Node is told to run the command line of the sources: `node ...CAIRN verify my-dataset`. `CAIRN_TEST_CLI` names a script that
 * was bundled of them, which starts in a fifth of the time.
 */
export const CAIRN: readonly string[] = process.env.CAIRN_TEST_CLI
  ? [process.env.CAIRN_TEST_CLI]
  : ["--import", "tsx", "pipeline/cli/main.ts"];
