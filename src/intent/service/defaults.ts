/** What a classification takes where its caller says nothing; all of them are options of a request. */
export const DEFAULTS = {
  /** Below it a type is told as one of low confidence, 0 to 1. */
  confidenceThreshold: 0.7,
  /** Most attempts at a model, the first included. */
  maxRetries: 3,
  /** Longest a classification may take, attempts and waits included, milliseconds. */
  timeout: 5_000,
  temperature: 0.1,
  maxTokens: 200,
  topP: 0.9,
} as const;
