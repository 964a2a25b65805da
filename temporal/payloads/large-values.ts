import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { defaultPayloadConverter } from '@temporalio/common';
import { decodeReferencePayload, isReferencePayload } from '../sdk-patches/stored-values';
import { StoredJson } from './stored-json';
import type { ValueDriver } from './stored-values';
import type { Redactor } from '../../src/secrets/redactor';

/** Stands in a history for a large value that stays in the store. */
export class StoredPayload implements Payload {
  /** A payload has only this field, so that no code takes it for a reference. */
  readonly metadata = {};
  constructor(readonly stored: StoredJson) {}
}

type AnyPayload = temporal.api.common.v1.IPayload;

/** Values from this size on are not read into memory as a whole if that can be avoided, bytes. */
export const LARGE_BYTES = 1_048_576;

/**
 * Opens a large value of a history without reading all of it.
 * @returns undefined for a value that is inside the history, that is small, or that is not JSON
 * @throws the error of the store if it cannot be read
 */
export async function openLarge(
  { options }: Client,
  payload: AnyPayload | null | undefined,
  minBytes = LARGE_BYTES,
): Promise<StoredJson | undefined> {
  if (payload == null || !isReferencePayload(payload)) return undefined;
  const { driverName, claimData, sizeBytes } = decodeReferencePayload(payload);
  if (sizeBytes < minBytes) return undefined;
  const driver = options.loadedDataConverter.externalStorage?.getDriver(driverName);
  return driver != null && 'open' in driver ? (driver as ValueDriver).open(claimData) : undefined;
}

/**
 * Reads a value of a history, also one that is a reference to the store.
 * @throws as `StoredJson.load` does
 */
export async function loadPayload(
  client: Client,
  payload: AnyPayload,
  admit: (bytes: number) => Promise<void>,
): Promise<unknown> {
  const stored = await openLarge(client, payload, 0);
  return stored === undefined ? readPayload(payload) : stored.load(admit);
}

export type Hiding = Pick<Redactor, 'value' | 'text' | 'isCredential'>;

/** Strikes out the credentials in the result of a run; those of a stored result while it is sent. */
export function hideInResult(result: unknown, redactor: Hiding): unknown {
  return result instanceof StoredJson ? result.hiding(redactor) : redactor.value(result);
}

type Payload = temporal.api.common.v1.IPayload;

type Payloads = temporal.api.common.v1.IPayloads;

/** Reads a value of a history whose references have been resolved. @returns undefined for an absent value, a `StoredJson` for a large one */
export function readPayload(payload: Payload | null | undefined): unknown {
  if (payload instanceof StoredPayload) return payload.stored;
  return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
}

/** Reads the first of several values. @returns undefined if there are no values */
export function readFirst(payloads: Payloads | null | undefined): unknown {
  return readPayload(payloads?.payloads?.[0]);
}
