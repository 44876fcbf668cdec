/**
 * Validates every answer against the implementation's OpenAPI document.
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Answer, type Client, jsonOf } from "./client.ts";
import { at, isObject, type Json, parseJson, show } from "./json.ts";

const DOCUMENT = "openapi";

/** Returns each kind of violation once. */
export async function violationsOf(client: Client, answers: readonly Answer[]): Promise<string[]> {
  const document = jsonOf(await client.get("/openapi.json"));
  const judge = createJudge(document);
  return [...new Set(answers.flatMap(judge))];
}

/** Maximum size of a validated body. Larger ones have the same structure. */
const MAX_CHARS = 300_000;

function createJudge(document: Json): (answer: Answer) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: false, ownProperties: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, ...(isObject(document) ? document : {}) });
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };

  return (answer) => {
    const template = templateOf(document, answer.path);
    if (answer.method !== "GET" || template === undefined) return [];
    const steps = ["paths", template, "get", "responses", String(answer.status)];
    const place = `GET ${template} ${answer.status}`;
    const response = resolve(document, steps);
    if (!response) return [`${place}: status is not in the document (${answer.request})`];
    return [...headerFaults(response.value, answer), ...bodyFaults(response, answer, validatorAt)].map(
      (fault) => `${place}: ${fault}`,
    );
  };
}

interface Place {
  readonly value: Json;
  readonly pointer: string;
}

/** Returns the value at this path of the document, with references resolved. */
function resolve(document: Json, steps: readonly string[]): Place | undefined {
  const value = at(document, ...steps);
  const reference = at(value, "$ref");
  if (typeof reference === "string") return resolve(document, reference.replace(/^#\//, "").split("/").map(decodeStep));
  return value === undefined ? undefined : { value, pointer: steps.map((step) => `/${encodeStep(step)}`).join("") };
}

const encodeStep = (step: string): string => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
const decodeStep = (step: string): string => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");

/** Returns the document's path template for a request. Paths without variables win. */
function templateOf(document: Json, path: string): string | undefined {
  const paths = at(document, "paths");
  const templates = isObject(paths) ? Object.keys(paths) : [];
  if (templates.includes(path)) return path;
  return templates.find((template) => {
    const steps = template.split("/");
    const parts = path.split("/");
    return steps.length === parts.length && steps.every((step, i) => /^\{.*\}$/.test(step) || step === parts[i]);
  });
}

function headerFaults(response: Json, { headers }: Answer): string[] {
  const described = at(response, "headers");
  return Object.entries(isObject(described) ? described : {}).flatMap(([name, header]) => {
    const value = headers.get(name);
    if (value === null) return at(header, "required") === true ? [`header ${name} is missing`] : [];
    const isCount = ["integer", "number"].includes(String(at(header, "schema", "type")));
    return isCount && !/^-?\d+(\.\d+)?$/.test(value) ? [`header ${name} is ${show(value)}, not a number`] : [];
  });
}

function bodyFaults(
  { value, pointer }: Place,
  { headers, text, request }: Answer,
  validatorAt: (pointer: string) => ValidateFunction,
): string[] {
  const content = at(value, "content");
  if (!isObject(content)) return text === "" ? [] : ["a body that the document does not describe"];
  const mediaType = (headers.get("Content-Type") ?? "").replace(/;.*$/s, "").trim();
  if (!(mediaType in content)) return [`content type ${show(mediaType)} is not in the document`];
  if (!mediaType.includes("json") || text.length > MAX_CHARS) return [];
  if (at(content[mediaType], "schema") === undefined) return [`${mediaType} has no schema`];
  const validate = validatorAt(`${pointer}/content/${encodeStep(mediaType)}/schema`);
  if (validate(parseJson(text))) return [];
  const [error] = validate.errors ?? [];
  return [`${mediaType} ${error?.instancePath.replace(/\d+/g, "n") ?? ""} ${error?.message ?? ""} (${request})`];
}
