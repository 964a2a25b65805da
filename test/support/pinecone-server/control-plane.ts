import { createDataPlane, type DataPlane } from './data-plane';
import { Refusal } from './errors';

export interface IndexSpec {
  readonly name: string;
  readonly dimension: number;
  readonly metric: string;
  readonly cloud: string;
  readonly region: string;
}

export interface StubIndex extends IndexSpec {
  /** The address of the index's data plane. */
  readonly host: string;
  readonly data: DataPlane;
  /** How many more times the index is described as not ready. */
  describedAsInitializing: number;
}

const NAME = /^[a-z0-9]([a-z0-9-]{0,43}[a-z0-9])?$/;

/** Reads the body of a request that creates an index, as the description of July 2026 has it. */
export function parseIndexSpec(text: string): IndexSpec {
  const body = JSON.parse(text) as CreateIndexBody;
  const { name = '', schema, deployment } = body;
  if (!NAME.test(name)) {
    throw invalid(
      'Name must consist of lower case alphanumeric characters or -, and have from 1 to 45 of them',
    );
  }
  const field = schema?.fields?._values;
  if (field?.type !== 'dense_vector') throw invalid('schema.fields must have the dense_vector field _values');
  const { dimension, metric = 'cosine' } = field;
  if (dimension === undefined || dimension < 1 || dimension > 20_000) {
    throw invalid('dimension must be between 1 and 20000');
  }
  if (deployment?.deployment_type !== 'managed') throw invalid('only managed deployments can be made here');
  const { cloud = '', region = '' } = deployment;
  if (!['aws', 'gcp', 'azure'].includes(cloud) || region === '') {
    throw new Refusal('NOT_FOUND', `Resource cloud: ${cloud} region: ${region} not found`);
  }
  return { name, dimension, metric, cloud, region };
}

export function createIndex(spec: IndexSpec, host: string, indexAtOnce: () => boolean): StubIndex {
  return { ...spec, host, data: createDataPlane(spec.dimension, indexAtOnce), describedAsInitializing: 0 };
}

/** Describes an index as `IndexModel`. Counts as one look at an index that is not ready. */
export function describe(index: StubIndex): object {
  const { name, host, dimension, metric, cloud, region, describedAsInitializing } = index;
  const ready = describedAsInitializing === 0;
  if (!ready) index.describedAsInitializing -= 1;
  return {
    name,
    host,
    status: { ready, state: ready ? 'Ready' : 'Initializing' },
    deployment: { deployment_type: 'managed', cloud, region, environment: `${cloud}-${region}` },
    read_capacity: { mode: 'OnDemand', status: { state: 'Ready' } },
    schema: { fields: { _values: { type: 'dense_vector', dimension, metric, description: null } } },
    tags: null,
    deletion_protection: 'disabled',
  };
}

interface CreateIndexBody {
  readonly name?: string;
  readonly schema?: {
    readonly fields?: {
      readonly _values?: { readonly type?: string; readonly dimension?: number; readonly metric?: string };
    };
  };
  readonly deployment?: {
    readonly deployment_type?: string;
    readonly cloud?: string;
    readonly region?: string;
  };
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message);
}
