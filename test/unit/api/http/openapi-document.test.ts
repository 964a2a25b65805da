import { z } from 'zod';
import { openApiDocument } from '../../../../api/http/openapi';
import { type AnyRoute, defineRoute } from '../../../../api/http/route';

const thing = z.object({ id: z.string() });
const shared = { tag: 'Things', summary: 'A route of this test', message: 'done', response: thing };
const handler = () => Promise.resolve({ id: 'a' });

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly pattern?: string } }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { schema: object }>; links?: object }
  >;
}

function operationsOf(...routes: readonly AnyRoute[]): Record<string, Record<string, Operation>> {
  return (
    openApiDocument(routes, { title: 'Test', description: '' }) as {
      paths: Record<string, Record<string, Operation>>;
    }
  ).paths;
}

const create = defineRoute({
  ...shared,
  method: 'post',
  path: '/api/things',
  operationId: 'createThing',
  access: 'read',
  status: 201,
  startsRun: true,
  request: { body: thing },
  handler,
});
const read = defineRoute({
  ...shared,
  method: 'get',
  path: '/api/things/:id',
  operationId: 'getThing',
  access: 'read',
  request: { params: thing },
  etag: ({ id }) => `"${id}"`,
  handler,
});
const related = defineRoute({
  ...shared,
  method: 'get',
  path: '/api/related/:thing',
  operationId: 'listRelated',
  access: 'read',
  linkedFrom: ['/api/things'],
  request: { params: z.object({ thing: z.string() }) },
  tools: () => ['graphdb'],
  handler,
});
const lookup = defineRoute({
  ...shared,
  method: 'get',
  path: '/api/runs/:traceId',
  operationId: 'getRun',
  access: 'read',
  request: { params: z.object({ traceId: z.string() }) },
  handler,
});
const lenient = defineRoute({
  ...shared,
  method: 'post',
  path: '/api/lenient',
  operationId: 'tryLenient',
  access: 'read',
  request: { body: z.object({ size: z.number().optional() }) },
  handler,
});

const paths = operationsOf(create, read, related, lookup, lenient);

test('what creates a thing links to the routes that take its id, and to the look-up of its run', () => {
  const id = '$response.body#/data/id';
  expect(paths['/api/things']?.['post']?.responses['201']?.links).toEqual({
    getThing: { operationId: 'getThing', parameters: { id } },
    listRelated: { operationId: 'listRelated', parameters: { thing: id } },
    getRun: { operationId: 'getRun', parameters: { traceId: '$response.header.X-Trace-Id' } },
  });
  expect(paths['/api/lenient']?.['post']?.responses['200']?.links).toBeUndefined();
});

test('an answer without a body is documented without one', () => {
  expect(paths['/api/things/{id}']?.['get']?.responses['304']).toEqual({
    description: expect.any(String) as string,
  });
  expect(paths['/api/related/{thing}']?.['get']?.responses).not.toHaveProperty('304');
});

test('a request that may become too long for Node.js is documented with its answer, which has no body', () => {
  expect(paths['/api/things/{id}']?.['get']?.responses['431']).toEqual({
    description: expect.any(String) as string,
  });
  expect(paths['/api/lenient']?.['post']?.responses).not.toHaveProperty('431');
});

test('answers that name the components in use are documented with them', () => {
  const properties = (path: string) =>
    paths[path]?.['get']?.responses['200']?.content?.['application/json']?.schema;
  expect(properties('/api/related/{thing}')).toHaveProperty('properties.tools.type', 'array');
  expect(properties('/api/things/{id}')).not.toHaveProperty('properties.tools');
});

test('a body is required where an empty object would be refused', () => {
  expect(paths['/api/things']?.['post']?.requestBody?.required).toBe(true);
  expect(paths['/api/lenient']?.['post']?.requestBody?.required).toBe(false);
});

test('headers are documented with the pattern that they are checked by', () => {
  const patternOf = (path: string, method: string, header: string): RegExp => {
    const found = paths[path]?.[method]?.parameters.find(({ name }) => name === header);
    return new RegExp(found?.schema.pattern ?? '(?!)');
  };
  const key = patternOf('/api/things', 'post', 'Idempotency-Key');
  expect(['order-1', ''].map((value) => key.test(value))).toEqual([true, false]);
  const tags = patternOf('/api/things/{id}', 'get', 'If-None-Match');
  expect(['*', '"a", W/"b,c"', 'a', '', '"a"b'].map((value) => tags.test(value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
