export { CopyButton } from "./copy-button.tsx";
export { CountrySelect } from "./country-select.tsx";
export { PanelFrame } from "./panel-frame.tsx";
export { RadiusField } from "./radius-field.tsx";
export { canChooseFile, chooseFile, discardFile, downloadFile } from "./save-file.ts";
export { offsetWithin, scrollerOf } from "./scroller.ts";
export { Step } from "./step.tsx";
export { WhatIsHere } from "./what-is-here.tsx";
export { ZoomButton } from "./zoom-button.tsx";
