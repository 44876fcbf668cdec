export { AnswerPanel } from "./answer-panel.tsx";
