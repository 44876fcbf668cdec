/** Colours of a page's pixels. */
import type { Page } from "@playwright/test";

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Red, green and blue of the pixels of a part of the page. */
export async function coloursIn(page: Page, clip: Clip): Promise<number[][]> {
  const shot = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(
    async ({ text, width, height }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context?.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
      const data = context?.getImageData(0, 0, width, height).data ?? [];
      return Array.from({ length: width * height }, (_, at) => [...data.slice(4 * at, 4 * at + 3)]);
    },
    { text: shot, width: clip.width, height: clip.height },
  );
}
