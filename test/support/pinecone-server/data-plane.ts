import { Refusal } from './errors';
import { matches, type Metadata } from './filter';
import {
  checkIds,
  checkMetadata,
  checkValues,
  checkVectors,
  checkWithin,
  MAX_IDS,
  MAX_REQUEST_BYTES,
  MAX_TOP_K,
} from './limits';
import { createNamespace, type Namespace, type StoredVector } from './write-log';

export interface DataRequest {
  readonly method: string;
  readonly url: URL;
  /** The entry as the request had it. */
  readonly body: string;
}

export interface DataAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DataPlane {
  handle(request: DataRequest): DataAnswer;
  /** Every namespace that has been written to, by name. */
  readonly namespaces: ReadonlyMap<string, Namespace>;
  /** The names of the namespaces that were not deleted, ascending. */
  names(): string[];
}

/** The Data Plane API of one index, as its published description of July 2026 has it. Throws Refusals. */
export function createDataPlane(dimension: number, indexAtOnce: () => boolean): DataPlane {
  const namespaces = new Map<string, Namespace>();
  /** Deleted namespaces, which reads see until their deletion is indexed. */
  const deleted = new Set<string>();

  const open = (name: string): Namespace => {
    const namespace = namespaces.get(name) ?? createNamespace(indexAtOnce);
    namespaces.set(name, namespace);
    deleted.delete(name);
    return namespace;
  };
  const existing = (name: string): Namespace => {
    const namespace = namespaces.get(name);
    if (namespace === undefined || deleted.has(name)) throw new Refusal('NOT_FOUND', 'Namespace not found');
    return namespace;
  };
  const names = (): string[] => [...namespaces.keys()].filter((name) => !deleted.has(name)).sort();
  /** Reads of a namespace without writes find nothing. */
  const read = (name: string): Namespace => namespaces.get(name) ?? createNamespace(indexAtOnce);

  const upsert = ({ vectors, namespace }: Body): DataAnswer => {
    checkVectors(vectors, dimension);
    const lsn = open(nameOf(namespace)).append((stored) => {
      for (const { id, values, metadata = {} } of vectors) stored.set(id, { values, metadata });
    });
    return written(lsn, { upsertedCount: vectors.length });
  };

  const update = ({ id, values, setMetadata, namespace }: Body): DataAnswer => {
    checkIds([id]);
    if (values !== undefined) checkValues(values, dimension);
    if (setMetadata !== undefined) checkMetadata(setMetadata as object);
    const lsn = open(nameOf(namespace)).append((stored) => {
      const before = stored.get(id as string);
      if (before === undefined) return;
      const metadata = { ...before.metadata, ...(setMetadata as Metadata | undefined) };
      stored.set(id as string, { values: values ?? before.values, metadata });
    });
    return written(lsn, {});
  };

  const remove = ({ ids, deleteAll, filter, namespace }: Body): DataAnswer => {
    const found = existing(nameOf(namespace));
    if ([ids, deleteAll, filter].filter((way) => way !== undefined).length !== 1) {
      throw new Refusal('INVALID_ARGUMENT', 'Exactly one of ids, deleteAll and filter must be given');
    }
    if (ids !== undefined) checkIds(ids);
    const lsn = found.append((stored) => {
      for (const [id, { metadata }] of stored) {
        const meant =
          ids !== undefined ? ids.includes(id) : filter === undefined || matches(filter, metadata);
        if (meant) stored.delete(id);
      }
    });
    return written(lsn, {});
  };

  const query = ({ vector, topK, filter, includeMetadata, includeValues, namespace }: Body): DataAnswer => {
    checkWithin(topK, 'topK', MAX_TOP_K);
    checkValues(vector, dimension);
    const name = nameOf(namespace);
    const found = read(name);
    const hits = [...found.vectors]
      .filter(([, { metadata }]) => filter === undefined || matches(filter, metadata))
      .map(([id, stored]) => ({ id, stored, score: cosine(vector, stored.values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
    return seen(found, {
      matches: hits.map(({ id, score, stored }) => ({
        id,
        score,
        values: includeValues === true ? stored.values : [],
        ...(includeMetadata === true ? { metadata: stored.metadata } : {}),
      })),
      namespace: name,
      usage: { readUnits: 1 },
    });
  };

  const fetch = (parameters: URLSearchParams): DataAnswer => {
    const ids: unknown = parameters.getAll('ids');
    checkIds(ids);
    const name = nameOf(parameters.get('namespace'));
    const found = read(name);
    const pairs = ids.flatMap((id): [string, StoredVector & { id: string }][] => {
      const stored = found.vectors.get(id);
      return stored === undefined ? [] : [[id, { id, ...stored }]];
    });
    return seen(found, { vectors: Object.fromEntries(pairs), namespace: name, usage: { readUnits: 1 } });
  };

  const list = (parameters: URLSearchParams): DataAnswer => {
    const limit = Number(parameters.get('limit') ?? 100);
    checkWithin(limit, 'limit', MAX_IDS);
    const name = nameOf(parameters.get('namespace'));
    const found = read(name);
    const after = parameters.get('paginationToken') ?? '';
    const ids = [...found.vectors.keys()]
      .filter((id) => id.startsWith(parameters.get('prefix') ?? '') && id > after)
      .sort();
    const page = ids.slice(0, limit);
    return seen(found, {
      vectors: page.map((id) => ({ id })),
      ...(ids.length > limit ? { pagination: { next: page.at(-1) } } : {}),
      namespace: name,
      usage: { readUnits: 1 },
    });
  };

  const stats = (): DataAnswer => {
    const counts = names().map((name) => [name, { vectorCount: read(name).vectors.size }] as const);
    const totalVectorCount = counts.reduce((sum, [, { vectorCount }]) => sum + vectorCount, 0);
    return ok({
      namespaces: Object.fromEntries(counts),
      dimension,
      indexFullness: 0,
      totalVectorCount,
      metric: 'cosine',
      vectorType: 'dense',
    });
  };

  const listNamespaces = (parameters: URLSearchParams): DataAnswer => {
    const limit = Number(parameters.get('limit') ?? 100);
    checkWithin(limit, 'limit', 100);
    const after = parameters.get('paginationToken') ?? '';
    const rest = names().filter((name) => name > after);
    const page = rest
      .slice(0, limit)
      .map((name) => ({ name, record_count: String(read(name).vectors.size) }));
    return ok({
      namespaces: page,
      ...(rest.length > limit ? { pagination: { next: page.at(-1)?.name } } : {}),
      total_count: names().length,
    });
  };

  const deleteNamespace = (name: string): DataAnswer => {
    const lsn = existing(name).append((stored) => stored.clear());
    deleted.add(name);
    return written(lsn, {});
  };

  const routes: Readonly<Record<string, (request: DataRequest) => DataAnswer>> = {
    'POST /vectors/upsert': ({ body }) => upsert(parse(body)),
    'POST /vectors/update': ({ body }) => update(parse(body)),
    'POST /vectors/delete': ({ body }) => remove(parse(body)),
    'POST /query': ({ body }) => query(parse(body)),
    'GET /vectors/fetch': ({ url }) => fetch(url.searchParams),
    'GET /vectors/list': ({ url }) => list(url.searchParams),
    'POST /describe_index_stats': stats,
    'GET /namespaces': ({ url }) => listNamespaces(url.searchParams),
  };

  return {
    namespaces,
    names,
    handle(request) {
      const { method, url } = request;
      const [, name] = /^\/namespaces\/([^/]+)$/.exec(url.pathname) ?? [];
      if (method === 'DELETE' && name !== undefined) return deleteNamespace(decodeURIComponent(name));
      const route = routes[`${method} ${url.pathname}`];
      if (route === undefined) throw new Refusal('NOT_FOUND', `no route ${method} ${url.pathname}`);
      return route(request);
    },
  };
}

type Body = Readonly<Record<string, unknown>> & { readonly ids?: readonly string[] };

function parse(text: string): Body {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REQUEST_BYTES) {
    const message = `message length too large: found ${bytes} bytes, the limit is: ${MAX_REQUEST_BYTES} bytes`;
    throw new Refusal('OUT_OF_RANGE', message);
  }
  return JSON.parse(text) as Body;
}

function nameOf(namespace: unknown): string {
  return typeof namespace === 'string' && namespace !== '' ? namespace : '__default__';
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0;
  for (const [at, value] of a.entries()) product += value * (b[at] ?? 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

function ok(body: object): DataAnswer {
  return { status: 200, body };
}

function written(lsn: number, body: object): DataAnswer {
  return { status: 200, body, headers: { 'x-pinecone-request-lsn': String(lsn) } };
}

function seen(namespace: Namespace, body: object): DataAnswer {
  return { status: 200, body, headers: { 'x-pinecone-max-indexed-lsn': String(namespace.indexedLsn) } };
}
