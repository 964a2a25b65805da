import { Refusal } from './errors';
import type { Metadata } from './filter';

/** https://docs.pinecone.io/reference/api/database-limits */
export const MAX_REQUEST_BYTES = 2_097_152;
const MAX_UPSERT_VECTORS = 1_000;
export const MAX_IDS = 1_000;
export const MAX_TOP_K = 10_000;
const MAX_ID_LENGTH = 512;
const MAX_METADATA_BYTES = 40_960;

/** Throws a Refusal for vectors that the service would not accept. */
export function checkVectors(vectors: unknown, dimension: number): asserts vectors is IncomingVector[] {
  checkList(vectors, 'vectors', MAX_UPSERT_VECTORS);
  for (const vector of vectors as Partial<IncomingVector>[]) {
    checkId(vector.id);
    checkValues(vector.values, dimension);
    if (vector.metadata !== undefined) checkMetadata(vector.metadata);
  }
}

export interface IncomingVector {
  readonly id: string;
  readonly values: readonly number[];
  readonly metadata?: Metadata;
}

export function checkIds(ids: unknown): asserts ids is string[] {
  checkList(ids, 'ids', MAX_IDS);
  for (const id of ids as unknown[]) checkId(id);
}

export function checkValues(values: unknown, dimension: number): asserts values is number[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'number')) {
    throw invalid('values must be a list of numbers');
  }
  if (values.length !== dimension) {
    throw invalid(`Vector dimension ${values.length} does not match the dimension of the index ${dimension}`);
  }
  if (values.every((value) => Math.abs(value) < 1e-8)) {
    throw invalid('Dense vectors must contain at least one non-zero value');
  }
}

export function checkMetadata(metadata: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > MAX_METADATA_BYTES) {
    throw invalid(`Metadata size is ${bytes} bytes, which exceeds the limit of 40960 bytes per vector`);
  }
  for (const [name, value] of Object.entries(metadata)) {
    const single = ['string', 'number', 'boolean'].includes(typeof value);
    const texts = Array.isArray(value) && value.every((one) => typeof one === 'string');
    if (!single && !texts) {
      throw invalid(
        `Metadata value must be a string, number, boolean or list of strings, got another for field '${name}'`,
      );
    }
  }
}

export function checkWithin(value: unknown, name: string, most: number): asserts value is number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most) {
    throw invalid(`${name} must be between 1 and ${most}`);
  }
}

function checkId(id: unknown): void {
  if (typeof id !== 'string' || id.length < 1 || id.length > MAX_ID_LENGTH) {
    throw invalid(`Vector ID must have from 1 to ${MAX_ID_LENGTH} characters`);
  }
}

function checkList(list: unknown, name: string, most: number): void {
  if (!Array.isArray(list) || list.length < 1 || list.length > most) {
    throw invalid(`${name} must have from 1 to ${most} entries`);
  }
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message);
}
