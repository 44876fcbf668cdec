/** Saves files: where the user chooses if the browser can ask, otherwise in the folder of downloads. @module */
/** The dialog for saving, which not every browser has and TypeScript does not know. */
interface PickerWindow {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
  }): Promise<FileSystemFileHandle>;
}

/** Returns whether the browser can ask the user where to save. */
export function canChooseFile(): boolean {
  return (window as PickerWindow).showSaveFilePicker !== undefined;
}

/** Asks where to save, and returns the file; undefined if the user cancelled or the browser cannot ask. */
export async function chooseFile(suggestedName: string): Promise<FileSystemFileHandle | undefined> {
  const ending = suggestedName.slice(suggestedName.lastIndexOf("."));
  const type = { ".csv": "text/csv", ".json": "application/json" }[ending] ?? "application/geo+json";
  try {
    return await (window as PickerWindow).showSaveFilePicker?.({
      suggestedName,
      types: [{ accept: { [type]: [ending] } }],
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}

/** Number of tries. The worker releases the file shortly after the page asks it to stop. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 100;

/** Removes the file if it is empty, as choosing created it. Throws if it stays locked for two seconds. */
export async function discardFile(file: FileSystemFileHandle): Promise<void> {
  const { remove } = file as FileSystemFileHandle & { remove?(): Promise<void> };
  for (let tries = 1; ; tries++) {
    try {
      const { size } = await file.getFile();
      if (size === 0) await remove?.call(file);
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

/** How long the URL of a download exists: until the browser has surely started it. */
const ADDRESS_LIFE_MS = 60_000;

/** Wait between downloads, because WebKit drops one that follows another immediately. */
const BETWEEN_DOWNLOADS_MS = 1000;
let earlier = Promise.resolve();

/** Downloads the blob as a file, after earlier downloads. */
export function downloadFile(blob: Blob, name: string): void {
  earlier = earlier.then(() => {
    const address = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), ADDRESS_LIFE_MS);
    return new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS_MS));
  });
}
