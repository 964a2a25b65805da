import { z } from 'zod';
import { flag, httpAddress, bytes, count } from './fields';

export const recordSettings = {
  RECORDS_CORS_ORIGINS: z
    .string()
    .default('*')
    .describe(
      'Origins whose pages may read and change records, comma-separated, such as https://app.example; with * pages of any origin may read',
    ),
  RECORDS_MAX_RESULTS: count(1, 1_000).default(500).describe('Most records in one page of a list'),
  RECORDS_IMPORT_MAX_BYTES: bytes(1_024, 4_294_967_296)
    .default(256 * 1_048_576)
    .describe('Largest upload of an import of records, bytes; its rows are bounded by MAX_BODY_BYTES'),
  RECORDS_MAX_TRACE_SHIPMENTS: count(1, 100_000)
    .default(10_000)
    .describe('Most shipments that a trace may be asked for, each way'),
};

/** No user or password in it: an address is shown where they must not be. */
export const NEO4J_ADDRESS = /^(neo4j|bolt)(\+s|\+ssc)?:\/\/[^@\s]+$/;

export const storeSettings = {
  GRAPH_STORE: z
    .enum(['auto', 'embedded', 'neo4j'])
    .default('auto')
    .describe('Where data is kept: embedded in DATA_DIR or in Neo4j; auto: Neo4j if NEO4J_URI is set'),
  NEO4J_URI: z
    .string()
    .regex(NEO4J_ADDRESS, 'it has to be like neo4j://host:7687, with user and password in their own settings')
    .optional()
    .describe('Address of a Neo4j server, 5.26 or later: neo4j:// or bolt://, with +s for TLS'),
  NEO4J_USERNAME: z.string().default('neo4j').describe('User at the Neo4j server'),
  NEO4J_PASSWORD: z.string().default('').describe("The user's password"),
  NEO4J_DATABASE: z
    .string()
    .optional()
    .describe("Database at the Neo4j server; absent: the user's home database"),
  PAYLOAD_STORE: z
    .enum(['auto', 'folder', 's3'])
    .default('auto')
    .describe(
      'Where large values of runs and rows of imports are kept: files in DATA_DIR or a bucket of S3; auto: s3 if S3_BUCKET is set',
    ),
  S3_BUCKET: z.string().optional().describe('Bucket of S3, or of a server that speaks its language'),
  S3_ENDPOINT: httpAddress
    .optional()
    .describe("Address of that server, such as http://localhost:9000; absent: Amazon's"),
  S3_REGION: z
    .string()
    .optional()
    .describe("Region of the bucket; absent: that of the AWS SDK's settings, with S3_ENDPOINT us-east-1"),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Access key of the bucket; absent: the AWS SDK's own search, so that roles and profiles work"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of that access key'),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.\-/]*$/, 'it may have letters, digits, and any of . _ - /')
    .default('')
    .describe('What all keys in the bucket begin with, such as holdfast/production'),
  S3_FORCE_PATH_STYLE: flag
    .optional()
    .describe(
      'Whether the bucket is named in paths and not in host names; absent: yes if S3_ENDPOINT is set',
    ),
};
