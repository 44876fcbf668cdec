/** Saving files: where the reader chooses, if the browser can ask, else among the downloads. @module */
/** Not every browser has it; TypeScript's library leaves it out. */
interface PickerWindow {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
    readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
  }): Promise<FileSystemFileHandle>;
}

/** Whether the reader will be asked for a place. */
export function canChooseFile(): boolean {
  return (window as PickerWindow).showSaveFilePicker !== undefined;
}

/** The file that the reader chose; undefined when they changed their mind, or the browser does not let a page ask. */
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

/** The worker lets go of the file a moment after it hears that it should stop. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 100;

/** Removes the empty file that choosing created. */
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

/** The URL must live until the browser begins the download. */
const ADDRESS_LIFE_MS = 60_000;

/** WebKit drops a download that another one follows at once. */
const BETWEEN_DOWNLOADS_MS = 1000;
let earlier = Promise.resolve();

/** Saves the blob among the reader's downloads, after those that were begun before. */
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
