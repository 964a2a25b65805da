import type { z } from 'zod';
import { idempotencyKeySchema, ENTITY_TAGS_PATTERN, mayRespondEarly } from './request-headers';
import { findSources } from './openapi-links';
import type { Convert, JsonSchema } from './openapi-schemas';
import { type AnyEnvelopeRoute, type AnyRoute, isStreamRoute, type RequestSchemas } from './route';

/** Builds the parameters and headers that callers may send to a route. */
export function buildInputs(route: AnyRoute, routes: readonly AnyRoute[], convert: Convert): object[] {
  const { params, query } = route.request as RequestSchemas;
  const { example = {} } = route;
  const describe = (name: string): string | undefined => {
    if (example.params?.[name] !== undefined) return undefined;
    const sources = findSources(name, route, routes).map((id) => `\`${id}\``);
    return sources.length === 0 ? undefined : `From the answer of ${sources.join(' or ')}`;
  };
  return [
    ...buildParameters('path', params, { example: example.params, describe, convert }),
    ...buildParameters('query', query, { example: example.query, convert }),
    ...idempotencyKeyHeader(route, convert),
    ...preferHeader(route),
    ...conditionHeaders(route),
  ];
}

/** Whether the route evaluates `If-None-Match`. */
export function isRevalidated({ method, etag }: AnyEnvelopeRoute): boolean {
  return method === 'get' && etag !== undefined;
}

interface ParameterOptions {
  readonly example?: Readonly<Record<string, unknown>> | undefined;
  /** Says more of a parameter, by its name. */
  readonly describe?: (name: string) => string | undefined;
  readonly convert: Convert;
}

function buildParameters(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  { example = {}, describe, convert }: ParameterOptions,
): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = convert(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
    ...descriptionOf([property['description'], describe?.(name)]),
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }));
}

function conditionHeaders(route: AnyRoute): object[] {
  if (isStreamRoute(route)) return [];
  const schema = { type: 'string', pattern: ENTITY_TAGS_PATTERN };
  const isSame = 'Change the record only if its ETag is still this one; otherwise a 412';
  const isKnown = 'Answer with a 304 if the ETag of the record is still this one';
  // Swagger UI sends the example, so it is a value with which every record is returned in full.
  return [
    ...(route.conditional === true ? [header('If-Match', isSame, schema, '*')] : []),
    ...(isRevalidated(route) ? [header('If-None-Match', isKnown, schema, '"of-an-earlier-read"')] : []),
  ];
}

function idempotencyKeyHeader(route: AnyRoute, convert: Convert): object[] {
  if (isStreamRoute(route) || route.startsRun !== true) return [];
  const description = 'A repeated request with the same key joins the run of the first and gets its response';
  return [header('Idempotency-Key', description, convert(idempotencyKeySchema, 'input'))];
}

function preferHeader(route: AnyRoute): object[] {
  if (!mayRespondEarly(route)) return [];
  const description =
    '`respond-async` does not wait for the run, `wait=N` waits for at most N seconds; then the response is a 202';
  return [header('Prefer', description, { type: 'string' })];
}

function header(name: string, description: string, schema: JsonSchema, example?: string): object {
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema,
    example,
  };
}

function descriptionOf(texts: readonly unknown[]): object {
  const known = texts.filter((text) => typeof text === 'string');
  return known.length === 0 ? {} : { description: known.join('. ') };
}
