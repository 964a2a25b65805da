import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { VERSION } from '../../src/version';
import { errorEnvelopeSchema } from './envelope';
import type { AnyRoute } from './route';

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
}

type ObjectSchema = z.ZodObject;

/** The OpenAPI 3.1 document of a list of routes, from the schemas that validate them. */
export function openApiDocument(routes: readonly AnyRoute[], info: OpenApiInfo): object {
  const registry = new OpenAPIRegistry();
  const error = registry.register('Error', errorEnvelopeSchema);
  for (const route of routes) {
    const { params, query, body } = route.request as Record<'params' | 'query' | 'body', ObjectSchema | undefined>;
    registry.registerPath({
      method: route.method,
      path: route.path.replaceAll(/:(\w+)/g, '{$1}'),
      tags: [route.tag],
      summary: route.summary,
      ...(route.description === undefined ? {} : { description: route.description }),
      request: {
        ...(params ? { params } : {}),
        ...(query ? { query } : {}),
        ...(body ? { body: { required: true, content: { 'application/json': { schema: body } } } } : {}),
      },
      responses: {
        [route.status ?? 200]: {
          description: 'Success',
          content: { 'application/json': { schema: successSchema(route) } },
        },
        default: { description: 'Error', content: { 'application/json': { schema: error } } },
      },
    });
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { ...info, version: VERSION },
  });
}

function successSchema(route: AnyRoute): z.ZodType {
  return z.object({ success: z.literal(true), data: route.response, message: z.string() });
}
