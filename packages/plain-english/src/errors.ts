const BRAND = Symbol.for('holdfast.plain-english.error');

/** A text that the rules cannot make sense of. The message says what is missing and may be shown to the author of the text. */
export class PlainEnglishError extends Error {
  readonly code = 'QUERY_NOT_UNDERSTOOD';
  readonly details: Readonly<Record<string, unknown>>;
  readonly [BRAND] = true;

  constructor(message: string, details: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'PlainEnglishError';
    this.details = details;
  }
}

/** Decides by brand and not by `instanceof`, so that it holds across copies of this module. */
export function isPlainEnglishError(error: unknown): error is PlainEnglishError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}
