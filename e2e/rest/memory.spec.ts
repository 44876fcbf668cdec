import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { answersOfNode, ask } from "../support/rest.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

/** Memory limit of a WebAssembly module in pages of 64 KiB: too little to decode the largest file of the sample. */
const MOST_PAGES = 200;
const HERE = "lat=40.0165&lng=-105.271&limit=50";
/** This many rows are read from the primary copy. */
const LARGE = "transportation?lat=40.0165&lng=-105.271&limit=25000&radius=3000";

test("a Parquet reader that runs out of memory does not affect answers, and the next file is read normally", async ({
  home,
}) => {
  const small = ["places", "addresses", "buildings"].map((path) => `${path}?${HERE}&radius=300`);
  const [large, ...expected] = await answersOfNode(DATASET_FOLDER, [LARGE, ...small]);
  const browser = await launchBrowser([
    "--disable-background-networking",
    `--js-flags=--wasm-max-mem-pages=${MOST_PAGES}`,
  ]);
  try {
    const page = await browser.newPage();
    await page.goto(home);
    await serviceWorkerReady(page);
    for (const [i, address] of small.entries()) {
      expect(await ask(page, LARGE), "the records have the rows").toEqual(large);
      expect(await ask(page, address), address).toEqual(expected[i]);
    }
  } finally {
    await browser.close();
  }
});
