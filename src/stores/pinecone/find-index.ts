import type { Pinecone } from '@pinecone-database/pinecone';
import { type TimeLimit, untilAborted } from '../../base/async/time-limit';
import { HoldfastError } from '../../base/errors';
import { withRetries } from '../../base/http/retries';
import type { PineconeClient } from './client';
import { connectionError, isConflict, unwrap, vectorStoreUnavailable } from './errors';

/** A region followed by its cloud, the form that Pinecone once used for environments: `us-east-1-aws`. */
const WITH_CLOUD = /^([a-z0-9-]+)-(aws|gcp|azure)$/;
/** The form of each cloud's regions: `us-east-1`, `us-central1`, `eastus2`. */
const REGIONS: readonly (readonly [Deployment['cloud'], RegExp])[] = [
  ['aws', /^[a-z]{2}(-[a-z]+)+-\d$/],
  ['gcp', /^[a-z]+-[a-z]+\d+$/],
  ['azure', /^[a-z]+\d?$/],
];

export interface IndexesWanted {
  /** The name of the first index. An index for vectors of another length is named with their dimensions, as in `name-384`. */
  readonly name: string;
  /** The region where an index is created if it does not exist. */
  readonly environment: string;
}

/** The indexes of a service. An index has one number of dimensions, so a move to another model needs two for a while. */
export interface IndexFinder {
  /** Returns the address of the index for vectors of this length. Looks it up once, and creates it if it does not exist. */
  host(dimensions: number, signal: AbortSignal): Promise<string>;
  /** Returns the addresses of all indexes of the service that exist. */
  hosts(signal?: AbortSignal): Promise<string[]>;
  /** Makes the next call of `host` look up the address again. */
  forget(): void;
}

type Indexes = Pinecone['indexes'];
type IndexModel = Awaited<ReturnType<Indexes['describe']>>;

const METRIC = 'cosine';
/** The pause between two checks whether a new index is ready, which takes some seconds. */
const POLL_MS = 500;
/** https://docs.pinecone.io/reference/api/database-limits */
const MAX_NAME_LENGTH = 45;

export function createIndexFinder(client: PineconeClient, wanted: IndexesWanted): IndexFinder {
  const known = new Map<number, string>();
  const searches = new Map<number, Promise<string>>();

  const find = (dimensions: number): Promise<string> =>
    client.call(async ({ indexes }, limit) => {
      const model = await findOrCreate(indexes, wanted, dimensions);
      checkIndex(model, dimensions);
      const host = await findHost(indexes, model, limit);
      known.set(dimensions, host);
      return host;
    });

  return {
    async host(dimensions, signal) {
      const host = known.get(dimensions);
      if (host !== undefined) return host;
      // All waiting callers share one search, which continues when one of them gives up.
      const search = searches.get(dimensions) ?? find(dimensions).finally(() => searches.delete(dimensions));
      searches.set(dimensions, search);
      return untilAborted(search, signal);
    },
    hosts: (signal) =>
      client.call(async ({ indexes }, limit) => {
        const models = (await list(indexes)).filter((model) => isOwn(model, wanted));
        return Promise.all(models.map((model) => findHost(indexes, model, limit)));
      }, signal),
    forget() {
      known.clear();
    },
  };
}

/**
 * Finds the index for vectors of this length, or creates it. An index with the dimensions in its name takes precedence, so that
 * the same index is found whether or not the first one still exists.
 */
async function findOrCreate(
  indexes: Indexes,
  wanted: IndexesWanted,
  dimensions: number,
): Promise<IndexModel> {
  const { name } = wanted;
  const models = await list(indexes);
  const sibling = siblingName(name, dimensions);
  const siblingIndex = models.find((model) => model.name === sibling);
  if (siblingIndex !== undefined) return siblingIndex;
  const first =
    models.find((model) => model.name === name) ?? (await createIndex(indexes, wanted, name, dimensions));
  // Another process may have created the first index meanwhile for vectors of another length.
  const isOther = dimensionsOf(first) !== undefined && dimensionsOf(first) !== dimensions;
  return isOther ? createIndex(indexes, wanted, sibling, dimensions) : first;
}

function siblingName(name: string, dimensions: number): string {
  return `${name}-${dimensions}`;
}

function isOwn(model: IndexModel, { name }: IndexesWanted): boolean {
  return model.name === name || model.name === siblingName(name, dimensionsOf(model) ?? 0);
}

async function list(indexes: Indexes): Promise<readonly IndexModel[]> {
  return (await indexes.list()).indexes ?? [];
}

async function createIndex(
  indexes: Indexes,
  { environment }: IndexesWanted,
  name: string,
  dimensions: number,
): Promise<IndexModel> {
  if (name.length > MAX_NAME_LENGTH) {
    const message = `The index for vectors of ${dimensions} dimensions would be named "${name}", which is too long; choose a shorter PINECONE_INDEX`;
    throw new HoldfastError('CONFIGURATION', message);
  }
  try {
    return await indexes.create({
      name,
      // An index whose records are only vectors has this single field.
      schema: { fields: { _values: { type: 'dense_vector', dimension: dimensions, metric: METRIC } } },
      deployment: { deploymentType: 'managed', ...parseDeployment(environment) },
    });
  } catch (error) {
    // Another process created the index first, or an earlier attempt of this process did, whose response was lost.
    if (isConflict(unwrap(error))) return indexes.describe(name);
    throw error;
  }
}

async function findHost(indexes: Indexes, model: IndexModel, limit: TimeLimit): Promise<string> {
  const ready = model.status.ready ? model : await waitUntilReady(indexes, model.name, limit);
  return ready.privateHost ?? ready.host;
}

function waitUntilReady(indexes: Pinecone['indexes'], name: string, limit: TimeLimit): Promise<IndexModel> {
  const requireReady = async (): Promise<IndexModel> => {
    const model = await indexes.describe(name);
    if (model.status.ready) return model;
    throw vectorStoreUnavailable(`the index "${name}" is not ready (${model.status.state})`);
  };
  return withRetries(requireReady, {
    limit,
    maxAttempts: Infinity,
    retryDelayMs: () => POLL_MS,
    toError: (error) => connectionError(unwrap(error)),
  });
}

/** The dimensions of an index; undefined if it has no dense vectors. */
function dimensionsOf({ schema }: IndexModel): number | undefined {
  const field = schema.fields['_values'];
  return field !== undefined && 'dimension' in field ? (field.dimension ?? undefined) : undefined;
}

function checkIndex(model: IndexModel, wanted: number): void {
  const { name, schema } = model;
  const dimensions = dimensionsOf(model);
  if (dimensions === undefined)
    throw new HoldfastError('CONFIGURATION', `The Pinecone index "${name}" has no dense vectors`);
  if (dimensions !== wanted) {
    throw new HoldfastError(
      'CONFIGURATION',
      `The Pinecone index "${name}" has ${dimensions} dimensions and the vectors have ${wanted}; name another index`,
    );
  }
  const field = schema.fields['_values'];
  if (field !== undefined && 'metric' in field && field.metric !== METRIC) {
    throw new HoldfastError(
      'CONFIGURATION',
      `The Pinecone index "${name}" compares by ${field.metric}; it must compare by ${METRIC}`,
    );
  }
}

interface Deployment {
  readonly cloud: 'aws' | 'gcp' | 'azure';
  readonly region: string;
}

/**
 * Parses the `environment` in which a serverless index is created: a region, which its cloud may follow.
 * @throws HoldfastError `CONFIGURATION`
 */
export function parseDeployment(environment: string): Deployment {
  const [, named, cloud] = WITH_CLOUD.exec(environment) ?? [];
  if (named !== undefined && cloud !== undefined)
    return { cloud: cloud as Deployment['cloud'], region: named };
  const match = REGIONS.find(([, form]) => form.test(environment));
  if (match !== undefined) return { cloud: match[0], region: environment };
  throw new HoldfastError(
    'CONFIGURATION',
    `The Pinecone environment "${environment}" is not a region such as us-east-1 or us-central1-gcp`,
  );
}
