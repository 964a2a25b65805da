import { z } from 'zod';
import { VERSION } from '../../src/base/version';
import { ENTITY_TAGS_PATTERN } from './entity-tags';
import { errorEnvelopeSchema } from './envelope';
import { idempotencyKeySchema } from './idempotency-key';
import type { AnyEnvelopeRoute, AnyRoute, AnyStreamRoute, RequestSchemas } from './route';
import { linksOf, templateOf } from './openapi-links';
import { isStreamRoute } from './route';

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
}

type JsonSchema = Record<string, unknown>;

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

/** The OpenAPI 3.1 document of a list of routes, from the schemas that validate them. */
export function openApiDocument(routes: readonly AnyRoute[], info: OpenApiInfo): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, routes) };
  }
  return {
    openapi: '3.1.0',
    info: { ...info, version: VERSION },
    paths,
    components: { schemas: { Error: toSchema(errorEnvelopeSchema, 'output') } },
  };
}

function operation(route: AnyRoute, routes: readonly AnyRoute[]): object {
  const { params, query, body } = route.request as RequestSchemas;
  const inputs = [
    ...parameters('path', params, route.example?.params),
    ...parameters('query', query, route.example?.query),
    ...idempotencyKey(route),
    ...conditions(route),
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
            // A request without a body is read as one with an empty object.
            required: !body.safeParse({}).success,
            ...json(toSchema(body, 'input'), route.example?.body),
          },
        }),
    responses: {
      ...(isStreamRoute(route)
        ? streamedSuccess(route)
        : { ...success(route, linksOf(route, routes)), ...notModified(route) }),
      ...(inputs.length > 0 ? TOO_LONG : {}),
      default: { description: 'Error', ...json(ERROR_REFERENCE) },
    },
  };
}

/** Node.js refuses such a request before the service sees it, and what the parameters may have together exceeds the limit. */
const TOO_LONG = {
  431: { description: 'The request line and the headers exceed 16 KiB: no body is sent' },
};

function success({ status = 200, response, tools }: AnyEnvelopeRoute, links: object): object {
  const answer = z.object({
    success: z.literal(true),
    data: response as z.ZodType,
    message: z.string(),
    ...(tools === undefined ? {} : { tools: z.array(z.string()).describe('The backing components in use') }),
  });
  return { [status]: { description: 'Success', ...json(toSchema(answer, 'output')), ...links } };
}

/** An answer without a body. */
function notModified(route: AnyEnvelopeRoute): object {
  return isRevalidated(route)
    ? { 304: { description: 'The caller has the record as it is: no body is sent' } }
    : {};
}

/** Whether `If-None-Match` is looked at. */
function isRevalidated({ method, etag }: AnyEnvelopeRoute): boolean {
  return method === 'get' && etag !== undefined;
}

/** OpenAPI 3.1 has no word for a sequence of items: the schema is that of one. */
function streamedSuccess({ streams }: AnyStreamRoute): object {
  const content = Object.entries(streams).map(([mediaType, item]) => [
    mediaType,
    { schema: toSchema(item, 'output') },
  ]);
  return {
    200: {
      description: 'Success, sent while it is read; the schema is that of one item',
      content: Object.fromEntries(content) as object,
    },
  };
}

function json(schema: JsonSchema, example?: unknown): object {
  return { content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

function parameters(
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

function conditions(route: AnyRoute): object[] {
  if (isStreamRoute(route)) return [];
  // The page that shows the document sends the example, so it is one with which every record is answered whole.
  const header = (name: string, example: string, description: string): object => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', pattern: ENTITY_TAGS_PATTERN },
    example,
  });
  return [
    ...(route.conditional === true
      ? [header('If-Match', '*', 'Only if the record is still the one with this ETag; else a 412')]
      : []),
    ...(isRevalidated(route)
      ? [
          header(
            'If-None-Match',
            '"of-an-earlier-read"',
            'A 304 if the record is still the one with this ETag',
          ),
        ]
      : []),
  ];
}

function idempotencyKey(route: AnyRoute): object[] {
  if (isStreamRoute(route) || route.startsRun !== true) return [];
  const description = 'A repeat of the request under the same key joins its run and gets its answer';
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: toSchema(idempotencyKeySchema, 'input'),
    },
  ];
}

/** `input` is what a caller sends, before defaults; `output` what one gets. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
