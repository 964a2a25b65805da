import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { ProviderName } from '../../contracts/http/llm';
import { shorten } from '../../contracts/json';
import { describeFailure } from '../../egress/failures';
import { HoldfastError, isHoldfastError, type HoldfastErrorOptions } from '../../base/errors';
import { parseRetryAfter, isTemporary } from '../../base/http/retry-after';
import { hideKeys } from '../../secrets/hide-keys';
import { answerLost } from '../answer-errors';
import { LOOP_CODE, modelLoop } from '../call-depth';
import { isTooLong, messageIn } from './refusals';

/** The addressee of a request, as errors describe it. */
export interface Addressee {
  readonly provider: ProviderName;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** The settings that an operator would look at. */
const SETTINGS: Readonly<Record<ProviderName, { readonly key: string; readonly address: string }>> = {
  hosted: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  local: { key: 'LOCAL_LLM_API_KEY', address: 'LOCAL_LLM_BASE_URL' },
  builtin: { key: 'LLM_PROVIDER', address: 'LLM_PROVIDER' },
};

const MAX_REASON = 500;
const CONFLICT = 409;
const NOT_IMPLEMENTED = 501;
const NO_SUCH_MODEL = new RegExp(
  [
    "\\bmodels?\\b[^\\n]{0,200}(not found|does not exist|doesn't exist)",
    '(unknown|invalid|no such|not a valid) model',
  ].join('|'),
  'i',
);
const NO_SUCH_PATH =
  /^\W*(404 )?(page |url |path |file )?not found\W*$|invalid url|unknown.* url|cannot post|endpoint/i;
/** Characters of a message that patterns are looked for in: in long ones, some take time that grows with the square of the length. */
const MAX_SEARCHED = 2_000;

/** A request that the provider refuses as it is: a 4xx that is not about key, model or load. */
export class RequestRefusedError extends HoldfastError {
  readonly status: number;

  constructor(to: Addressee, status: number, words: string) {
    const reason = `the provider refuses the request (${status}): ${words}`;
    super('MODEL_UNAVAILABLE', `The model provider "${to.provider}" cannot answer: ${reason}`, {
      details: { provider: to.provider, reason },
    });
    this.status = status;
  }
}

/**
 * Whether a server that was asked for a stream may answer the same request as a whole: it refuses the request, or has
 * not implemented it.
 */
export function refusesStreams(error: unknown, to: Addressee): boolean {
  const isUnimplemented = error instanceof APIError && error.status === NOT_IMPLEMENTED;
  if (isUnimplemented) return true;
  const known = toModelError(error, to);
  return known instanceof RequestRefusedError && !isTooLong(known.message);
}

/** `MODEL_INPUT_UNSUPPORTED`, details `{ provider, model, kind, reason }`. */
export function filesUnsupported(
  { provider, model, apiKey }: Addressee,
  kind: 'image' | 'text',
  error: APIError,
): HoldfastError {
  const reason = hideKeys(shorten(messageIn(error), MAX_REASON), apiKey);
  const problem = kind === 'image' ? 'does not take the image' : 'cannot read as much text';
  return new HoldfastError(
    'MODEL_INPUT_UNSUPPORTED',
    `The model "${model}" of the provider "${provider}" ${problem}: ${reason}`,
    { details: { provider, model, kind, reason } },
  );
}

/** `MODEL_TIMEOUT`, details `{ provider, model, timeout }`. */
export function timedOut({ provider, model }: Addressee, timeoutMs: number): HoldfastError {
  return new HoldfastError('MODEL_TIMEOUT', `The model "${model}" did not answer within ${timeoutMs} ms`, {
    details: { provider, model, timeout: timeoutMs },
  });
}

/**
 * `MODEL_UNAVAILABLE`, details `{ provider, reason, retryAfterMs? }`: the last is how long the provider asks to wait,
 * milliseconds.
 */
export function unavailable(
  { provider }: Addressee,
  reason: string,
  options: Pick<HoldfastErrorOptions, 'retryable' | 'retryAfterMs'> & { readonly hint?: string } = {},
): HoldfastError {
  const { hint, ...rest } = options;
  const { retryAfterMs = Infinity } = options;
  const advice = hint === undefined ? '' : `; check ${hint}`;
  return new HoldfastError(
    'MODEL_UNAVAILABLE',
    `The model provider "${provider}" cannot answer: ${reason}${advice}`,
    {
      details: {
        provider,
        reason,
        retryAfterMs: Number.isSafeInteger(Math.ceil(retryAfterMs)) ? retryAfterMs : undefined,
      },
      ...rest,
    },
  );
}

/**
 * Converts the error of a failed request. The result carries neither the original error nor its unchanged message,
 * because both may contain the key, in headers or in what the provider repeats.
 */
export function toModelError(error: unknown, to: Addressee): HoldfastError {
  if (isHoldfastError(error)) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return answerLost(to.provider, 'no answer in time');
  }
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return connectionError(error, to);
  return statusError(error as APIError, to);
}

function connectionError(error: unknown, to: Addressee): HoldfastError {
  if ((error as { name?: unknown } | null)?.name === 'SyntaxError') {
    return answerLost(to.provider, 'its answer is not JSON');
  }
  const { description, retryable, mayHaveArrived } = describeFailure(error);
  if (mayHaveArrived === true) return answerLost(to.provider, description);
  return unavailable(to, description, {
    retryable,
    hint: retryable ? undefined : SETTINGS[to.provider].address,
  });
}

function statusError(error: APIError, to: Addressee): HoldfastError {
  const { status } = error;
  if (error.code === LOOP_CODE) return modelLoop();
  const words = hideKeys(messageIn(error), to.apiKey);
  const settings = SETTINGS[to.provider];
  // An error without a status came inside a stream that had begun well.
  if (status === undefined) return answerLost(to.provider, `the answer broke off: ${words}`);
  if (isUnknownModel(error, status)) return unknownModel(to);
  if (status === 401 || status === 403) {
    return unavailable(to, 'the provider refuses the key', { hint: settings.key });
  }
  if (error.code === 'insufficient_quota')
    return unavailable(to, 'its quota is used up', { hint: settings.key });
  if (status === 404) return unavailable(to, 'no chat API is at its address', { hint: settings.address });
  if (!isTemporary(status) && status !== CONFLICT) return new RequestRefusedError(to, status, words);
  const retryAfterMs = readRetryAfter(error);
  return unavailable(to, status === 429 ? 'too many requests' : `it answered ${status}`, {
    retryable: true,
    retryAfterMs,
  });
}

function unknownModel({ provider, model }: Addressee): HoldfastError {
  return new HoldfastError('MODEL_UNKNOWN', `The model provider "${provider}" has no model "${model}"`, {
    details: { provider, model },
  });
}

/** Whether the model is unknown. A 404 may also come from a wrong address, such as one without its `/v1`. */
function isUnknownModel(error: APIError, status: number): boolean {
  if (error.code === 'model_not_found') return true;
  const words = messageIn(error).slice(0, MAX_SEARCHED);
  if (status === 400) return NO_SUCH_MODEL.test(words);
  return status === 404 && error.error !== undefined && !NO_SUCH_PATH.test(words);
}

/** Prefers `retry-after-ms`, which OpenAI sends beside the standard's header, because it is finer. */
function readRetryAfter({ headers }: APIError): number | undefined {
  const fine = headers?.get('retry-after-ms')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(fine)) return Number(fine);
  return parseRetryAfter(headers?.get('retry-after') ?? undefined, Date.now());
}
