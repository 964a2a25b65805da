import { z } from 'zod';
import { VERSION } from '../../src/base/version';
import { ENTITY_TAGS_PATTERN } from './entity-tags';
import { errorEnvelopeSchema } from './envelope';
import { EVENT_STREAM } from './event-stream';
import { idempotencyKeySchema } from './idempotency-key';
import { acceptedRunSchema } from './accepted-run';
import { mayRespondEarly } from './preference';
import { buildLinks, toPathTemplate } from './openapi-links';
import {
  type AnyEnvelopeRoute,
  type AnyRoute,
  type AnyStreamRoute,
  isStreamRoute,
  type RequestSchemas,
} from './route';

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
}

export interface DocumentOptions extends OpenApiInfo {
  /** Whether callers are authenticated. */
  readonly authenticated?: boolean;
}

type JsonSchema = Record<string, unknown>;

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

/** Builds the OpenAPI 3.1 document of a list of routes from the schemas that validate their requests. */
export function openApiDocument(
  routes: readonly AnyRoute[],
  { authenticated = false, ...info }: DocumentOptions,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = toPathTemplate(route.path);
    const operation = buildOperation(route, routes);
    const security = authenticated ? buildSecurity(route) : {};
    paths[path] = { ...paths[path], [route.method]: { ...operation, ...security } };
  }
  return {
    openapi: '3.1.0',
    info: { ...info, version: VERSION },
    paths,
    components: {
      schemas: { Error: toSchema(errorEnvelopeSchema, 'output') },
      ...(authenticated ? { securitySchemes: SECURITY_SCHEMES } : {}),
    },
  };
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key, `hfast_…`, or a JSON Web Token' },
};

/** Since OpenAPI 3.1 a scheme other than OAuth may name the roles that an operation needs; here they are scopes. */
function buildSecurity({ access }: AnyRoute): object {
  return { security: access === 'open' ? [] : [{ bearer: [access] }] };
}

function buildOperation(route: AnyRoute, routes: readonly AnyRoute[]): object {
  const { params, query, body } = route.request as RequestSchemas;
  const inputs = [
    ...buildParameters('path', params, route.example?.params),
    ...buildParameters('query', query, route.example?.query),
    ...idempotencyKeyHeader(route),
    ...preferHeader(route),
    ...conditionHeaders(route),
  ];
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    parameters: inputs,
    ...(route.streamedBody === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [route.streamedBody]: { schema: { type: 'string' }, example: route.example?.body } },
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            // A request without a body is handled like one with an empty object.
            required: !body.safeParse({}).success,
            ...json(toSchema(body, 'input'), route.example?.body),
          },
        }),
    responses: {
      ...(isStreamRoute(route)
        ? buildStreamedSuccess(route)
        : { ...buildSuccess(route, buildLinks(route, routes)), ...accepted(route), ...notModified(route) }),
      ...(inputs.length > 0 ? TOO_LONG : {}),
      default: { description: 'Error', ...json(ERROR_REFERENCE) },
    },
  };
}

/**
 * Node.js rejects such a request before the service sees it. All parameters at their maximum length exceed its limit
 * together.
 */
const TOO_LONG = {
  431: { description: 'The request line and the headers exceed 16 KiB; the response has no body' },
};

function buildSuccess({ status = 200, response, tools, isPending }: AnyEnvelopeRoute, links: object): object {
  const named =
    tools === undefined ? {} : { tools: z.array(z.string()).describe('The backing components in use') };
  const answer = envelopeOf(response as z.ZodType).extend(named);
  const content = json(toSchema(answer, 'output'));
  return {
    [status]: { description: 'Success', ...content, ...links },
    ...(isPending === undefined ? {} : { 202: { description: 'Not over yet', ...content } }),
  };
}

/** The schema of a success with the envelope. */
function envelopeOf(data: z.ZodType) {
  return z.object({ success: z.literal(true), data, message: z.string() });
}

/** Builds the 202 of a request that does not wait for its run. */
function accepted(route: AnyEnvelopeRoute): object {
  if (!mayRespondEarly(route)) return {};
  const schema = toSchema(envelopeOf(acceptedRunSchema), 'output');
  return { 202: { description: 'The run continues, with `Prefer`', ...json(schema) } };
}

/** Builds the 304, which has no body. */
function notModified(route: AnyEnvelopeRoute): object {
  return isRevalidated(route)
    ? { 304: { description: 'The caller has the current version; the response has no body' } }
    : {};
}

/** Whether the route evaluates `If-None-Match`. */
function isRevalidated({ method, etag }: AnyEnvelopeRoute): boolean {
  return method === 'get' && etag !== undefined;
}

/**
 * Builds the success of a stream. OpenAPI 3.1 cannot describe a sequence of items, so the schema is that of one item.
 */
function buildStreamedSuccess({ streams, whole, emptyMeans }: AnyStreamRoute): object {
  const content = Object.entries(streams).map(([mediaType, item]) => [
    mediaType,
    { schema: mediaType === EVENT_STREAM ? eventOf(toSchema(item, 'output')) : toSchema(item, 'output') },
  ]);
  return {
    200: {
      description: 'Success, streamed; the schema is that of one item',
      content: {
        ...(Object.fromEntries(content) as object),
        ...(whole === undefined ? {} : json(toSchema(envelopeOf(whole), 'output')).content),
      },
    },
    ...(emptyMeans === undefined ? {} : { 204: { description: emptyMeans } }),
  };
}

/** The schema of a server-sent event, as OpenAPI 3.2 writes it: its `data` is a text that holds JSON. */
function eventOf(data: JsonSchema): JsonSchema {
  const contentSchema = { contentMediaType: 'application/json', contentSchema: data };
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      event: { type: 'string' },
      data: { type: 'string', ...contentSchema },
    },
    required: ['event', 'data'],
  };
}

function json(schema: JsonSchema, example?: unknown) {
  return { content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

function buildParameters(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  example: Readonly<Record<string, unknown>> = {},
): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
    ...(property['description'] === undefined ? {} : { description: property['description'] }),
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

function idempotencyKeyHeader(route: AnyRoute): object[] {
  if (isStreamRoute(route) || route.startsRun !== true) return [];
  const description = 'A repeated request with the same key joins the run of the first and gets its response';
  return [header('Idempotency-Key', description, toSchema(idempotencyKeySchema, 'input'))];
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
    ...(example === undefined ? {} : { example }),
  };
}

/**
 * Converts a schema to JSON Schema.
 * @param io `input`: what callers send, before defaults; `output`: what they receive
 */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
