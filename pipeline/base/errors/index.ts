export { CodedError, codeOf, isCommandErrorCode } from "./coded-error.ts";
export { COMMAND_ERRORS, type CommandErrorCode } from "./error-codes.ts";
