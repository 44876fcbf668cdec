/** The panels of the menu, loaded when opened. @module */
import type { FunctionComponent } from "preact";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import { closePanel, found, type PanelName, panel } from "../state/index.ts";
import { text } from "../text/index.ts";
import { LostPart, PanelFrame, useRetried } from "../widgets/index.ts";

type Panel = FunctionComponent<{ readonly onClose: () => void }>;

const LOADERS: Readonly<Record<PanelName, () => Promise<Panel>>> = {
  export: async () => {
    const { ExportDialog } = await loadPart(() => import("../export/index.ts"));
    return ({ onClose }) => found.value && <ExportDialog found={found.value} onClose={onClose} />;
  },
  table: () => loadPart(() => import("../table/table-panel.tsx")).then(({ TablePanel }) => TablePanel),
  areas: () =>
    loadPart(() => import("../saved-areas/panel/saved-areas-panel.tsx")).then(({ SavedAreasPanel }) => SavedAreasPanel),
  notes: () => loadPart(() => import("../notes/panel/notes-panel.tsx")).then(({ NotesPanel }) => NotesPanel),
  files: () => loadPart(() => import("../files/panel/files-panel.tsx")).then(({ FilesPanel }) => FilesPanel),
  console: () => loadPart(() => import("../console/index.ts")).then(({ ConsolePanel }) => ConsolePanel),
  answer: () => loadPart(() => import("../answer/answer-panel.tsx")).then(({ AnswerPanel }) => AnswerPanel),
  about: () => loadPart(() => import("./about.tsx")).then(({ About }) => About),
};

/** Shows the panel that the menu opened. Loads its code first. */
export function OpenPanel() {
  const { answer: loaded, retry } = useRetried(() => {
    const name = panel.value;
    return name && LOADERS[name]().then((Panel) => ({ name, Panel }));
  });
  const wanted = panel.value;
  if (!wanted || !loaded) return null;
  if ("error" in loaded) return <NotLoaded onClose={() => closePanel(wanted)} onRetry={retry} />;
  const { name, Panel } = loaded.value;
  return <Panel key={name} onClose={() => closePanel(name)} />;
}

function NotLoaded({ onClose, onRetry }: { onClose: () => void; onRetry: () => void }) {
  return (
    <PanelFrame title={text("panel.notLoaded")} kind="modal" onClose={onClose}>
      <LostPart onRetry={onRetry} />
    </PanelFrame>
  );
}
