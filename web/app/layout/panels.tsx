/** The panels of the menu, loaded when opened. @module */
import type { FunctionComponent } from "preact";
import { closePanel, found, type PanelName, panel } from "../state/index.ts";
import { text } from "../text/index.ts";
import { PanelFrame, useAnswer } from "../widgets/index.ts";

type Panel = FunctionComponent<{ readonly onClose: () => void }>;

const LOADERS: Readonly<Record<PanelName, () => Promise<Panel>>> = {
  export: async () => {
    const { ExportDialog } = await import("../export/index.ts");
    return ({ onClose }) => found.value && <ExportDialog found={found.value} onClose={onClose} />;
  },
  areas: () => import("../saved-areas/panel/index.ts").then(({ SavedAreasPanel }) => SavedAreasPanel),
  notes: () => import("../notes/panel/index.ts").then(({ NotesPanel }) => NotesPanel),
  files: () => import("../files/panel/index.ts").then(({ FilesPanel }) => FilesPanel),
  console: () => import("../console/index.ts").then(({ ConsolePanel }) => ConsolePanel),
  answer: () => import("../answer/index.ts").then(({ AnswerPanel }) => AnswerPanel),
  about: () => import("./about.tsx").then(({ About }) => About),
};

/** The open panel, if any. */
export function OpenPanel() {
  const loaded = useAnswer(() => {
    const name = panel.value;
    return name && LOADERS[name]().then((Panel) => ({ name, Panel }));
  });
  if (!panel.value || !loaded) return null;
  if ("error" in loaded) return <NotLoaded onClose={closePanel} />;
  const { name, Panel } = loaded.value;
  return <Panel key={name} onClose={closePanel} />;
}

function NotLoaded({ onClose }: { onClose: () => void }) {
  return (
    <PanelFrame title={text("panel.notLoaded")} kind="modal" onClose={onClose}>
      <p role="alert">{text("panel.notLoadedHelp")}</p>
    </PanelFrame>
  );
}
