/** The first values of the fields of the REST reference, and which parameters are sent. @module */
interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly schema?: { readonly example?: unknown };
}

interface Document {
  readonly security?: unknown;
  readonly components?: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
}

/** Parameters that have a first value. With the examples of all parameters together, nothing would be found. */
const FILLED: readonly string[] = ["lat", "lng"];
/** First value of `limit`. The page needs seconds to show many records. */
const LIMIT = 5;

/**
 * Returns the OpenAPI document with a small `limit`. Examples of other parameters are only in their descriptions. Keys are left
 * out, because a host that requires one serves no page.
 */
export function withEmptyFields(openapi: string): string {
  const { security: _, components, ...document } = JSON.parse(openapi) as Document;
  const { securitySchemes: __, ...kept } = components ?? {};
  const paths = Object.entries(document.paths).map(([path, { get, ...others }]) => [
    path,
    get ? { ...others, get: { ...get, parameters: get.parameters?.map(withEmptyField) } } : others,
  ]);
  return JSON.stringify({ ...document, components: kept, paths: Object.fromEntries(paths) });
}

function withEmptyField(parameter: Parameter): Parameter {
  const { example, ...schema } = parameter.schema ?? {};
  if (parameter.name === "limit") return { ...parameter, schema: { ...schema, example: LIMIT } };
  if (example === undefined || FILLED.includes(parameter.name)) return parameter;
  return { ...parameter, description: `${parameter.description ?? ""} Such as \`${example}\`.`.trim(), schema };
}

/**
 * Returns the absolute URL without parameters that have no value, which would be refused. Throws `TypeError` for a relative URL.
 */
export function withoutEmptyParameters(address: string): string {
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) if (value === "") url.searchParams.delete(name);
  return url.href;
}
