import type { Pinecone } from '@pinecone-database/pinecone';
import type { TimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import { HoldfastError } from '../../base/errors';
import { withRetries } from '../../base/http/retries';
import type { PineconeClient } from './client';
import { deploymentOf } from './deployment';
import { connectionError, isConflict, unwrap, vectorStoreUnavailable } from './errors';

export interface IndexesWanted {
  /** Of the first index; one for vectors of another length has their number of dimensions behind it, as in `name-384`. */
  readonly name: string;
  /** Where an index is made if it does not exist. */
  readonly environment: string;
}

/** The indexes of a service: an index has one number of dimensions, and a move to another model needs both for a while. */
export interface IndexFinder {
  /** Address of the index for vectors of this length, which is looked up once, and made where there is none. */
  host(dimensions: number, signal: AbortSignal): Promise<string>;
  /** Addresses of all that there are by now. */
  hosts(signal?: AbortSignal): Promise<string[]>;
  /** The next call of `host` looks again. */
  forget(): void;
}

type Indexes = Pinecone['indexes'];
type IndexModel = Awaited<ReturnType<Indexes['describe']>>;

const METRIC = 'cosine';
/** An index takes some seconds to be made. */
const POLL_MS = 500;
/** https://docs.pinecone.io/reference/api/database-limits */
const MAX_NAME_LENGTH = 45;

export function createIndexFinder(client: PineconeClient, wanted: IndexesWanted): IndexFinder {
  const known = new Map<number, string>();
  const searches = new Map<number, Promise<string>>();

  const find = (dimensions: number): Promise<string> =>
    client.call(async ({ indexes }, limit) => {
      const model = await findOrMake(indexes, wanted, dimensions);
      checkIndex(model, dimensions);
      const host = await hostOf(indexes, model, limit);
      known.set(dimensions, host);
      return host;
    });

  return {
    async host(dimensions, signal) {
      const host = known.get(dimensions);
      if (host !== undefined) return host;
      // One search for all who wait, which none of them ends by going away.
      const search = searches.get(dimensions) ?? find(dimensions).finally(() => searches.delete(dimensions));
      searches.set(dimensions, search);
      return untilAborted(search, signal);
    },
    hosts: (signal) =>
      client.call(async ({ indexes }, limit) => {
        const models = (await list(indexes)).filter((model) => isOwn(model, wanted));
        return Promise.all(models.map((model) => hostOf(indexes, model, limit)));
      }, signal),
    forget() {
      known.clear();
    },
  };
}

/**
 * The index with the dimensions in its name comes first, so that the same one is found whether or not the first index is
 * still there.
 */
async function findOrMake(indexes: Indexes, wanted: IndexesWanted, dimensions: number): Promise<IndexModel> {
  const { name } = wanted;
  const models = await list(indexes);
  const sibling = siblingName(name, dimensions);
  const own = models.find((model) => model.name === sibling);
  if (own !== undefined) return own;
  const first =
    models.find((model) => model.name === name) ?? (await make(indexes, wanted, name, dimensions));
  // Also where another process has made it meanwhile for vectors of another length.
  const isOther = dimensionsOf(first) !== undefined && dimensionsOf(first) !== dimensions;
  return isOther ? make(indexes, wanted, sibling, dimensions) : first;
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

async function make(
  indexes: Indexes,
  { environment }: IndexesWanted,
  name: string,
  dimensions: number,
): Promise<IndexModel> {
  if (name.length > MAX_NAME_LENGTH) {
    const message = `An index beside it for vectors of ${dimensions} dimensions would be named "${name}", which is too long; PINECONE_INDEX has to be shorter`;
    throw new HoldfastError('CONFIGURATION', message);
  }
  try {
    return await indexes.create({
      name,
      // The one field of an index whose records are vectors alone.
      schema: { fields: { _values: { type: 'dense_vector', dimension: dimensions, metric: METRIC } } },
      deployment: { deploymentType: 'managed', ...deploymentOf(environment) },
    });
  } catch (error) {
    // Another process was faster, or an attempt of ours whose answer was lost.
    if (isConflict(unwrap(error))) return indexes.describe(name);
    throw error;
  }
}

async function hostOf(indexes: Indexes, model: IndexModel, limit: TimeLimit): Promise<string> {
  const ready = model.status.ready ? model : await whenReady(indexes, model.name, limit);
  return ready.privateHost ?? ready.host;
}

function whenReady(indexes: Pinecone['indexes'], name: string, limit: TimeLimit): Promise<IndexModel> {
  const look = async (): Promise<IndexModel> => {
    const model = await indexes.describe(name);
    if (model.status.ready) return model;
    throw vectorStoreUnavailable(`the index "${name}" is not ready (${model.status.state})`);
  };
  return withRetries(look, {
    limit,
    maxAttempts: Infinity,
    retryDelayMs: () => POLL_MS,
    toError: (error) => connectionError(unwrap(error)),
  });
}

/** Undefined: it has no dense vectors. */
function dimensionsOf({ schema }: IndexModel): number | undefined {
  const field = schema.fields['_values'];
  return field !== undefined && 'dimension' in field ? (field.dimension ?? undefined) : undefined;
}

function checkIndex(model: IndexModel, wanted: number): void {
  const { name, schema } = model;
  const dimensions = dimensionsOf(model);
  if (dimensions === undefined)
    throw new HoldfastError('CONFIGURATION', `The Pinecone index "${name}" is none of dense vectors`);
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
