import { HoldfastError } from '../../base/errors';

export interface Deployment {
  readonly cloud: 'aws' | 'gcp' | 'azure';
  readonly region: string;
}

/** With the cloud behind the region, as Pinecone wrote environments once: `us-east-1-aws`. */
const WITH_CLOUD = /^([a-z0-9-]+)-(aws|gcp|azure)$/;
/** How each cloud writes its regions: `us-east-1`, `us-central1`, `eastus2`. */
const REGIONS: readonly (readonly [Deployment['cloud'], RegExp])[] = [
  ['aws', /^[a-z]{2}(-[a-z]+)+-\d$/],
  ['gcp', /^[a-z]+-[a-z]+\d+$/],
  ['azure', /^[a-z]+\d?$/],
];

/**
 * Where a serverless index is made for an `environment`: a region, with or without its cloud behind it.
 * @throws HoldfastError `CONFIGURATION`
 */
export function deploymentOf(environment: string): Deployment {
  const [, named, cloud] = WITH_CLOUD.exec(environment) ?? [];
  if (named !== undefined && cloud !== undefined)
    return { cloud: cloud as Deployment['cloud'], region: named };
  const match = REGIONS.find(([, form]) => form.test(environment));
  if (match !== undefined) return { cloud: match[0], region: environment };
  throw new HoldfastError(
    'CONFIGURATION',
    `The Pinecone environment "${environment}" is no region, such as us-east-1 or us-central1-gcp`,
  );
}
