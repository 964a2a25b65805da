import { openApiDocument } from '../../../../api/http/openapi';
import { parseRequest } from '../../../../api/http/parse-request';
import type { AnyRoute, RequestSchemas } from '../../../../api/http/route';
import { takesOthers } from '../../../../api/http/schema-keys';
import { isHoldfastError } from '../../../../src/base/errors';
import { allRoutes } from '../../../support/all-routes';
import { type Level, levelsOf, sampleOf } from '../../../support/schema-levels';

/** A name that resembles no field. */
const EXTRA = 'zzqx';

/** The fields whose value is a caller's own, and takes any names. */
const FREE: Readonly<Record<string, string>> = {
  args: 'arguments of a tool, which are checked by its parameters',
  patch: 'changes of the arguments of a tool, which are checked as those are',
  inputs: 'inputs of a workflow, and their defaults; those of a stored one are checked by its declaration',
  items: 'items of a forEach',
  form: 'the parts of a multipart form, which the check of the arguments of api_call reads',
  paginate: 'how api_call finds pages, which the same check reads',
  context: 'what a caller keeps with a memory or says of a query',
  metadata: 'metadata of a memory',
  parameters: 'JSON Schema, or names of parameters',
  schema: 'JSON Schema of the answer of a model',
  responseSchema: 'JSON Schema of the answer of a turn',
  headers: 'headers of a request',
  params: 'parameters of a URL',
  body: 'body of a request',
  env: 'variables of a program',
  query: 'of a batch: checked one by one, so that a wrong one fails alone',
  options: 'of a batch: checked one by one, so that a wrong one fails alone',
  workflow: 'a definition whose mistakes are the answer',
  request: 'what a schedule starts, which is checked as a request of its endpoint is',
  output: 'what a tool gave that the caller runs',
  overrides: 'what steps of a rerun do otherwise, by their ids',
};

const { api, records } = allRoutes();
/** That of a part for which a route has no schema. */
const nothing: Level = { path: [], value: { [EXTRA]: 1 }, isFree: false };

interface Place {
  readonly name: string;
  readonly route: AnyRoute;
  readonly part: 'query' | 'body';
  readonly level: Level;
}

const places: Place[] = [...api, ...records].flatMap((route) =>
  (['query', 'body'] as const).flatMap((part) => {
    if (part === 'body' && (route.method === 'get' || route.method === 'delete')) return [];
    const schema = (route.request as RequestSchemas)[part];
    const levels = schema === undefined ? [nothing] : levelsOf(schema, EXTRA);
    return levels.map((level) => ({
      name: `${route.method} ${route.path} ${part} ${[...level.path, EXTRA].join('.')}`,
      route,
      part,
      level,
    }));
  }),
);

/** What becomes of a request: the field that it is refused for, or the fields that are ignored. */
function outcomeOf({ route, part, level }: Place): object {
  const { query, body } = route.request as RequestSchemas;
  const valid = {
    params: {},
    query: query === undefined ? {} : sampleOf(query),
    body: body === undefined ? {} : sampleOf(body),
  };
  try {
    return { ignored: parseRequest(route, { ...valid, [part]: level.value }).ignored };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { refused: error.details?.['field'], step: error.details?.['step'] };
  }
}

test('a field that no schema has is refused wherever it stands, and named', () => {
  const strict = places.filter(({ level, route, part }) => {
    const schema = (route.request as RequestSchemas)[part];
    return !level.isFree && !(level.path.length === 0 && schema !== undefined && takesOthers(schema));
  });
  expect(strict.length).toBeGreaterThan(150);
  for (const place of strict) {
    const path = [...place.level.path, EXTRA].join('.').replaceAll(/\.(\d+)(?=\.)/g, '[$1]');
    const { refused, step } = outcomeOf(place) as { readonly refused?: string; readonly step?: string };
    // The error of a step names the step, and the field within it.
    const named = typeof step === 'string' ? path.replace(/^.*?steps\[0\]\./, '') : path;
    expect({ name: place.name, refused }).toEqual({ name: place.name, refused: named });
  }
});

test('at the top level of a body that carries data it is ignored, and named', () => {
  const lenient = places.filter(({ level, route, part }) => {
    const schema = (route.request as RequestSchemas)[part];
    return level.path.length === 0 && schema !== undefined && takesOthers(schema) && route.method !== 'put';
  });
  expect(new Set(lenient.map(({ route }) => route.path.split('/')[2]))).toEqual(
    new Set(['intent-classifier', 'memory', 'memory-chat', 'health']),
  );
  for (const place of lenient)
    expect({ name: place.name, ...outcomeOf(place) }).toEqual({ name: place.name, ignored: [EXTRA] });
});

test('only what is a caller’s own takes any fields', () => {
  const free = places.filter(({ level }) => level.isFree);
  // The values inside of one of them are free, too.
  const names = free.map(
    ({ level }) => level.path.find((step) => Object.hasOwn(FREE, step)) ?? level.path.at(-1),
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(FREE).sort());
});

type Json = Readonly<Record<string, unknown>>;

/** The objects of a JSON Schema that take fields besides their own, by their paths. */
function openObjects(schema: Json, document: Json, path: string): string[] {
  const inner = (value: unknown, step: string): string[] =>
    typeof value === 'object' && value !== null ? openObjects(value as Json, document, `${path}${step}`) : [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Json)[step], document);
    return inner(target, '');
  }
  // Those of an object that is closed only say which of its fields go together.
  const isClosed = schema['additionalProperties'] === false;
  const lists = isClosed
    ? []
    : ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (schema[word] ?? []) as unknown[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Json);
  // A schema without a type takes any value.
  const isObject = schema['type'] === 'object' || properties.length > 0 || Object.keys(schema).length === 0;
  const own = isObject && !isClosed ? [path] : [];
  return [
    ...own,
    ...lists.flatMap((each) => inner(each, '')),
    ...properties.flatMap(([name, each]) => inner(each, `.${name}`)),
    ...inner(schema['items'], '[]'),
  ];
}

test.each([
  ['main', api],
  ['records', records],
])('the %s document says so of every object', (_, routes) => {
  const document = openApiDocument(routes, { title: '', description: '' }) as Json;
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const open = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const content = (requestBody as { readonly content?: Json } | undefined)?.content?.['application/json'];
      if (content === undefined) return [];
      return openObjects((content as { readonly schema: Json }).schema, document, `${method} ${path}`);
    }),
  );
  const unexplained = open.filter((place) => {
    const steps = place.split(/[.[\]]+/).slice(1);
    const isData = /^(?:post|put) \/api\/(?:(?:memory|memory-chat|intent-classifier)\/|files$)/.test(place);
    return !steps.some((step) => Object.hasOwn(FREE, step)) && !(steps.length === 0 && isData);
  });
  expect(unexplained).toEqual([]);
});
