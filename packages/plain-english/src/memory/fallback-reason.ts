/** Why rules answer: no model is configured, another than a model was chosen, or the model failed. */
export type FallbackReason = 'not-configured' | 'not-chosen' | 'failed';

/** As the beginning of a sentence. */
export const FALLBACK_REASONS: Readonly<Record<FallbackReason, string>> = {
  'not-configured': 'No language model is configured',
  'not-chosen': 'No language model was asked',
  failed: 'The language model did not answer',
};
