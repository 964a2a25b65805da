import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { StoredJson } from './stored-json';

type Payload = temporal.api.common.v1.IPayload;
type Payloads = temporal.api.common.v1.IPayloads;

/** Stands in a history for a large value that stays in the store. */
export class StoredPayload implements Payload {
  /** A payload has only this field, so that no code takes it for a reference. */
  readonly metadata = {};
  constructor(readonly stored: StoredJson) {}
}

/** Reads a value of a history whose references have been resolved. @returns undefined for an absent value, a `StoredJson` for a large one */
export function readPayload(payload: Payload | null | undefined): unknown {
  if (payload instanceof StoredPayload) return payload.stored;
  return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
}

/** Reads the first of several values. @returns undefined if there are no values */
export function readFirst(payloads: Payloads | null | undefined): unknown {
  return readPayload(payloads?.payloads?.[0]);
}
