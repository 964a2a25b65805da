import { z } from 'zod';
import { VERSION } from '../../src/base/version';
import { errorEnvelopeSchema, acceptedRunSchema } from './envelope';
import { EVENT_STREAM } from './event-stream';
import { buildLinks, toPathTemplate } from './openapi-links';
import { buildInputs, isRevalidated } from './openapi-inputs';
import { type Convert, createNamedSchemas, type JsonSchema } from './openapi-schemas';
import {
  type AnyEnvelopeRoute,
  type AnyRoute,
  type AnyStreamRoute,
  isStreamRoute,
  type RequestSchemas,
  type RouteExample,
} from './route';
import { mayRespondEarly } from './request-headers';

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
  /** Schemas that the document has once, by name; default: only those that all documents have. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
}

export interface DocumentOptions extends OpenApiInfo {
  /** Whether callers are authenticated. */
  readonly authenticated?: boolean;
}

/** Builds the OpenAPI 3.1 document of a list of routes from the schemas that validate their requests. */
export function openApiDocument(
  routes: readonly AnyRoute[],
  { authenticated = false, schemas: named = {}, title, description }: DocumentOptions,
): object {
  const operations: Record<string, Record<string, object>> = {};
  const schemas = createNamedSchemas({
    ...named,
    Error: errorEnvelopeSchema,
    AcceptedRun: acceptedRunSchema,
  });
  for (const route of routes) {
    const path = toPathTemplate(route.path);
    const operation = buildOperation(route, routes, schemas.convert);
    const security = authenticated ? buildSecurity(route) : {};
    operations[path] = { ...operations[path], [route.method]: { ...operation, ...security } };
  }
  const finished = schemas.finish(operations);
  return {
    openapi: '3.1.0',
    info: { title, description, version: VERSION },
    paths: finished.document,
    components: {
      schemas: finished.schemas,
      ...(authenticated ? { securitySchemes: SECURITY_SCHEMES } : {}),
    },
  };
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key, `hfast_…`, or a JSON Web Token' },
};

/** Since OpenAPI 3.1 a scheme other than OAuth may name the roles that an operation needs; here they are scopes. */
function buildSecurity({ access }: AnyRoute): object {
  return { security: access === 'open' ? [] : [{ bearer: access === 'any' ? [] : [access] }] };
}

function buildOperation(route: AnyRoute, routes: readonly AnyRoute[], convert: Convert): object {
  const { body } = route.request as RequestSchemas;
  const inputs = buildInputs(route, routes, convert);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: inputs,
    ...(route.streamedBody === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: buildStreamedBody(route, route.streamedBody),
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            // A request without a body is handled like one with an empty object.
            required: !body.safeParse({}).success,
            ...json(convert(body, 'input'), route.example),
          },
        }),
    responses: {
      ...(isStreamRoute(route)
        ? buildStreamedSuccess(route, convert)
        : {
            ...buildSuccess(route, buildLinks(route, routes), convert),
            ...accepted(route, convert),
            ...notModified(route),
          }),
      ...(inputs.length > 0 ? TOO_LONG : {}),
      default: { description: 'Error', ...json(convert(errorEnvelopeSchema, 'output')) },
    },
  };
}

/** The content of a body that the handler reads itself, by its types. */
function buildStreamedBody({ bodyTypes, example }: AnyRoute, streamedBody: string): object {
  const types = bodyTypes ?? [streamedBody];
  return Object.fromEntries(
    types.map((type, index) => [
      type,
      {
        schema: type === 'application/json' ? {} : { type: 'string' },
        example: index === 0 ? example?.body : undefined,
      },
    ]),
  );
}

/**
 * Node.js rejects such a request before the service sees it. All parameters at their maximum length exceed its limit
 * together.
 */
const TOO_LONG = {
  431: { description: 'The request line and the headers exceed 16 KiB; the response has no body' },
};

function buildSuccess(
  { status = 200, response, tools, isPending }: AnyEnvelopeRoute,
  links: object,
  convert: Convert,
): object {
  const named =
    tools === undefined ? {} : { tools: z.array(z.string()).describe('The backing components in use') };
  const answer = envelopeOf(response as z.ZodType).extend(named);
  const content = json(convert(answer, 'output'));
  return {
    [status]: { description: 'Success', ...content, ...links },
    ...(isPending === undefined ? {} : { 202: { description: 'Not over yet', ...content } }),
  };
}

/** The schema of a success with the envelope. */
function envelopeOf(data: z.ZodType) {
  return z.object({ success: z.literal(true), data, message: z.string() });
}

/** Builds the 202 of a request that does not wait for its run. One that never waits has a 202 of its own. */
function accepted(route: AnyEnvelopeRoute, convert: Convert): object {
  if (!mayRespondEarly(route) || route.isPending !== undefined) return {};
  const schema = convert(envelopeOf(acceptedRunSchema), 'output');
  return { 202: { description: 'The run continues, with `Prefer`', ...json(schema) } };
}

/** Builds the 304, which has no body. */
function notModified(route: AnyEnvelopeRoute): object {
  return isRevalidated(route)
    ? { 304: { description: 'The caller has the current version; the response has no body' } }
    : {};
}

/**
 * Builds the success of a stream. OpenAPI 3.1 cannot describe a sequence of items, so the schema is that of one item.
 */
function buildStreamedSuccess({ streams, whole, emptyMeans }: AnyStreamRoute, convert: Convert): object {
  const content = Object.entries(streams).map(([mediaType, item]) => [
    mediaType,
    { schema: mediaType === EVENT_STREAM ? eventOf(convert(item, 'output')) : convert(item, 'output') },
  ]);
  return {
    200: {
      description: 'Success, streamed; the schema is that of one item',
      content: {
        ...(Object.fromEntries(content) as object),
        ...(whole === undefined ? {} : json(convert(envelopeOf(whole), 'output')).content),
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

function json(schema: JsonSchema, { body, further }: Pick<RouteExample, 'body' | 'further'> = {}) {
  return { content: { 'application/json': { schema, ...toExamples(body, further) } } };
}

/** One example, or several by what they show, of which Swagger UI sends the first unless another one is chosen. */
function toExamples(body: unknown, further: RouteExample['further']): object {
  if (body === undefined) return {};
  if (further === undefined) return { example: body };
  const examples = Object.entries({ usual: body, ...further }).map(([name, value]) => [name, { value }]);
  return { examples: Object.fromEntries(examples) as object };
}
