import { expect, type Locator } from "@playwright/test";

/** Returns the image of the canvas when the base map is drawn and nothing moves: two images in a row are equal. */
export async function drawnMap(canvas: Locator): Promise<Buffer> {
  let image = await canvas.screenshot();
  await expect(async () => {
    const before = image;
    image = await canvas.screenshot();
    expect(image.equals(before)).toBe(true);
  }).toPass({ intervals: [2000] });
  return image;
}
