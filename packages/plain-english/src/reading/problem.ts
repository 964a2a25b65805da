import { PlainEnglishError } from '../errors';

export interface ProblemDetails {
  /** The required parameter that the sentence does not give. */
  readonly missing?: string;
  readonly toolName?: string;
  readonly extractedArgs?: Readonly<Record<string, unknown>>;
}

/** What a clause lacks to be a tool call. */
export interface Problem extends ProblemDetails {
  readonly message: string;
}

/** @returns `QUERY_NOT_UNDERSTOOD`, whose details name what is missing */
export function notUnderstood(message: string, details: ProblemDetails = {}): PlainEnglishError {
  return new PlainEnglishError(message, { field: 'query', message, ...details });
}
