/** Defaults of a classification; all of them are options of a request. */
export const DEFAULTS = {
  /** A type with less confidence is reported as one of low confidence, 0 to 1. */
  confidenceThreshold: 0.7,
  /** Maximum number of attempts at a model, the first included. */
  maxRetries: 3,
  /** Maximum time of a classification, attempts and waits included, milliseconds. */
  timeout: 5_000,
  temperature: 0.1,
  maxTokens: 200,
  topP: 0.9,
} as const;
