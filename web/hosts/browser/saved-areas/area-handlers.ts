import { type BBox, bboxUnion } from "../../../../data/format/bbox.ts";
import { isPage, type Manifest } from "../../../../data/format/manifest.ts";
import { type AreaSelection, readSlice } from "../../../engine/index.ts";
import { isQuotaError } from "../cache/index.ts";
import { AREAS_CHANNEL, type Area, type AreaCalls, type RemoteHandlers } from "../protocol/index.ts";
import { blobSink, type DatasetStorage, fileSink, missingOf, storageEstimate } from "../storage/index.ts";
import { bytesOf, cancelArea, removeArea, renameArea } from "./area-changes.ts";
import { AreaFileError, keepAreaFile, readAreaFile, writeAreaFile } from "./area-file.ts";
import { addWholeArea, type PlanArea, planFiles, type SaveContext, saveArea } from "./save-area.ts";
import { selectionOf } from "./selection-of.ts";

/** Returns the functions of the worker that save, list, import and export areas, and tell other tabs of changes. */
export function areaHandlers(
  opened: () => Promise<DatasetStorage>,
  plan: PlanArea = planFiles,
): Pick<RemoteHandlers, keyof AreaCalls> {
  const channel = new BroadcastChannel(AREAS_CHANNEL);
  const changed = () => channel.postMessage("changed");
  const context = ({ areas, locks, stored, source, network, seen }: DatasetStorage): SaveContext => ({
    plan,
    store: areas,
    locks,
    files: stored,
    source,
    network,
    makeRoom: () => seen.evict(0),
    freeBytes: async () => (await freeBytes()) ?? Number.POSITIVE_INFINITY,
  });

  async function change(work: (held: SaveContext) => Promise<void>): Promise<undefined> {
    await work(context(await opened()));
    changed();
    return undefined;
  }

  return {
    async areas() {
      const { areas: store, stored, seen } = await opened();
      const areas: Area[] = [];
      const bytesByHash = new Map<string, number>();
      const boxes: Record<string, BBox> = {};
      const names = await stored.names();
      for (const area of await store.areas()) {
        const held = await store.files(area.id, "saved");
        // the browser or its user may have emptied the cache
        const missing = new Set(missingOf(held?.files ?? [], names));
        const isWhole = held && missing.size === 0;
        const { saved: _, ...others } = area;
        areas.push(area.saved && !isWhole ? { ...others, isUnfinished: true } : area);
        for (const entry of held?.files ?? []) if (!missing.has(entry)) bytesByHash.set(entry.sha256, entry.bytes);
        const box = held && countryBox(area.selection, held.manifest);
        if (box) boxes[area.id] = box;
      }
      const { usage, quota } = await storageEstimate();
      return {
        areas,
        boxes,
        areaBytes: [...bytesByHash.values()].reduce((sum, bytes) => sum + bytes, 0),
        seenBytes: await seen.seenBytes(),
        usedBytes: usage,
        quotaBytes: quota,
      };
    },

    async measureArea(choice, signal) {
      const kept = await opened();
      const { files } = await plan(selectionOf(choice), kept.source, signal);
      const missing = missingOf(files, await kept.files.names());
      return {
        files: files.length,
        bytes: bytesOf(files),
        missingFiles: missing.length,
        missingBytes: bytesOf(missing),
        freeBytes: await freeBytes(),
      };
    },

    async addArea({ name, choice }) {
      const area = newArea(name, selectionOf(choice));
      await (await opened()).areas.write(area);
      changed();
      return area;
    },

    async saveArea(id, signal, report) {
      const kept = await opened();
      const result = await saveArea(id, context(kept), { signal, onProgress: report });
      if (result.kind !== "elsewhere") changed();
      // lets searches in this tab use the slices that were written without the list
      void kept.slices.list();
      return result;
    },

    cancelArea: (id) => change((held) => cancelArea(id, held)),
    renameArea: ({ id, name }) => change((held) => renameArea(id, name, held)),
    removeArea: (id) => change((held) => removeArea(id, held)),

    async exportArea({ id, file }, signal, report) {
      const { areas, source } = await opened();
      const area = await areas.area(id);
      const held = await areas.files(id, "saved");
      if (!area || !held) throw new Error(`there is no saved area ${id}`);
      const sink = file ? await fileSink(file) : blobSink("application/x-tar");
      return writeAreaFile(area, held, {
        read: (entry, readSignal) => readSlice(source, entry, readSignal),
        sink,
        onProgress: report,
        signal,
      });
    },

    async importArea(file, signal, report) {
      const kept = await opened();
      const held = context(kept);
      try {
        const read = await readAreaFile(file, plan);
        await kept.vouch(read.next.manifest);
        const area = newArea(read.name, read.selection);
        const fill = () => keepAreaFile(read, held.files, { signal, onProgress: report });
        return await addWholeArea(area, read.next, { context: held, signal, fill });
      } catch (error) {
        if (error instanceof AreaFileError || isRefused(error)) return { kind: "damaged", reason: error.message };
        if (!isQuotaError(error)) throw error;
        return { kind: "full", neededBytes: file.size, freeBytes: (await freeBytes()) ?? 0 };
      } finally {
        void kept.slices.list();
        changed();
      }
    },
  };
}

/** Whether a signature was refused, by the name of the error: most pages pin no key, and do not load its class. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && error.name === "SignatureError";
}

function countryBox({ shape, collections }: AreaSelection, manifest: Manifest): BBox | undefined {
  if (shape.kind !== "country") return undefined;
  const { country } = shape;
  const nodes = collections.flatMap((name) => manifest.collections[name]?.runs.records.nodes ?? []);
  const own = nodes.filter((node) =>
    isPage(node) ? node.first?.[0] === country && node.last?.[0] === country : node.country === country,
  );
  return own.length > 0 ? bboxUnion(own.map(({ bbox }) => bbox)) : undefined;
}

function newArea(name: string, selection: AreaSelection): Area {
  return { id: crypto.randomUUID(), name, selection, createdAtMs: Date.now(), isUnfinished: true };
}

async function freeBytes(): Promise<number | undefined> {
  const { usage, quota } = await storageEstimate();
  return usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage);
}
