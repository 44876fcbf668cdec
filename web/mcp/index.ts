/**
 * The Model Context Protocol: a dataset as tools of an agent.
 * @module
 */
export { answerMcp } from "./answer-mcp.ts";
export { createMcpServer } from "./server.ts";
