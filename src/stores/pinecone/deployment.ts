import { HoldfastError } from '../../base/errors';

export interface Deployment {
  readonly cloud: 'aws' | 'gcp' | 'azure';
  readonly region: string;
}

/** A region followed by its cloud, the form that Pinecone once used for environments: `us-east-1-aws`. */
const WITH_CLOUD = /^([a-z0-9-]+)-(aws|gcp|azure)$/;
/** The form of each cloud's regions: `us-east-1`, `us-central1`, `eastus2`. */
const REGIONS: readonly (readonly [Deployment['cloud'], RegExp])[] = [
  ['aws', /^[a-z]{2}(-[a-z]+)+-\d$/],
  ['gcp', /^[a-z]+-[a-z]+\d+$/],
  ['azure', /^[a-z]+\d?$/],
];

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
