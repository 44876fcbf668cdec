/**
 * The Model Context Protocol: a dataset as tools of an agent.
 * @module
 */
export { answerMcp, createMcpServer } from "./server.ts";
