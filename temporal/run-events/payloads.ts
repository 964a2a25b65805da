import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

type Payload = temporal.api.common.v1.IPayload;
type Payloads = temporal.api.common.v1.IPayloads;

/** Reads a value of a history whose references have been resolved. @returns undefined for an absent value */
export function readPayload(payload: Payload | null | undefined): unknown {
  return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
}

/** Reads the first of several values. @returns undefined where there are no values */
export function readFirst(payloads: Payloads | null | undefined): unknown {
  return readPayload(payloads?.payloads?.[0]);
}
