/** Saves files: where the user chooses if the browser can ask, otherwise as a download. @module */
/** Not in every browser, and not in TypeScript's library. */
interface PickerWindow {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
  }): Promise<FileSystemFileHandle>;
}

/** Returns whether the user will be asked for a location. */
export function canChooseFile(): boolean {
  return (window as PickerWindow).showSaveFilePicker !== undefined;
}

/** Returns the file that the user chose; undefined if they cancelled, or the browser cannot ask. */
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

/** The worker releases the file shortly after the page asks it to stop. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 100;

/** Removes the empty file that choosing created; keeps a file with content. Throws if the file stays locked for two seconds. */
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

/** The URL must exist until the browser starts the download. */
const ADDRESS_LIFE_MS = 60_000;

/** WebKit drops a download that is followed by another immediately. */
const BETWEEN_DOWNLOADS_MS = 1000;
let earlier = Promise.resolve();

/** Downloads the blob, after earlier downloads. */
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
