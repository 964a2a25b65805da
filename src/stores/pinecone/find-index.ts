import type { Pinecone } from '@pinecone-database/pinecone';
import type { TimeLimit } from '../../cancellation/time-limit';
import { untilAborted } from '../../cancellation/until-aborted';
import { HoldfastError } from '../../errors';
import { withRetries } from '../../http/retries';
import type { PineconeClient } from './client';
import { deploymentOf } from './deployment';
import { connectionError, isConflict, isMissing, unwrap, vectorStoreUnavailable } from './errors';

export interface IndexWanted {
  readonly name: string;
  readonly dimensions: number;
  /** Where it is made if it does not exist. */
  readonly environment: string;
}

export interface IndexFinder {
  /** Address of the index, which is looked up once, and made where there is none. */
  host(signal: AbortSignal): Promise<string>;
  /** The next call of `host` looks again. */
  forget(): void;
}

type IndexModel = Awaited<ReturnType<Pinecone['indexes']['describe']>>;

const METRIC = 'cosine';
/** An index takes some seconds to be made. */
const POLL_MS = 500;

export function createIndexFinder(client: PineconeClient, wanted: IndexWanted): IndexFinder {
  let known: string | undefined;
  let search: Promise<string> | undefined;

  const find = (): Promise<string> =>
    client.call(async ({ indexes }, limit) => {
      const model = (await describe(indexes, wanted.name)) ?? (await create(indexes, wanted));
      checkIndex(model, wanted);
      const ready = model.status.ready ? model : await whenReady(indexes, wanted.name, limit);
      known = ready.privateHost ?? ready.host;
      return known;
    });

  return {
    async host(signal) {
      if (known !== undefined) return known;
      // One search for all who wait, which none of them ends by going away.
      search ??= find().finally(() => (search = undefined));
      return untilAborted(search, signal);
    },
    forget() {
      known = undefined;
    },
  };
}

async function describe(indexes: Pinecone['indexes'], name: string): Promise<IndexModel | undefined> {
  try {
    return await indexes.describe(name);
  } catch (error) {
    if (isMissing(unwrap(error))) return undefined;
    throw error;
  }
}

async function create(
  indexes: Pinecone['indexes'],
  { name, dimensions, environment }: IndexWanted,
): Promise<IndexModel> {
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

function checkIndex({ schema }: IndexModel, { name, dimensions }: IndexWanted): void {
  const field = schema.fields['_values'];
  if (field === undefined || !('dimension' in field)) {
    throw new HoldfastError('CONFIGURATION', `The Pinecone index "${name}" is none of dense vectors`);
  }
  if (field.dimension !== dimensions) throw dimensionMismatch(name, field.dimension, dimensions);
  if ('metric' in field && field.metric !== METRIC) {
    throw new HoldfastError(
      'CONFIGURATION',
      `The Pinecone index "${name}" compares by ${field.metric}; it must compare by ${METRIC}`,
    );
  }
}

/** `CONFIGURATION`: vectors of one length and an index of another. */
export function dimensionMismatch(
  name: string,
  ofIndex: number | null | undefined,
  ofVectors: number,
): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `The Pinecone index "${name}" has ${ofIndex} dimensions and the vectors have ${ofVectors}; name another index`,
  );
}
