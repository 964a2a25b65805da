import type { FeatureSettings } from '../src/intents/features';
import type { ComposeOptions } from './compose';
import type { RoughenOptions } from './roughen';

/** Chosen by grouped cross-validation; docs/contributors/intent-model.md has the figures. */
export const SETTINGS: FeatureSettings = {
  buckets: 49_152,
  scales: { words: 1, characters: 1, classes: 1, tail: 0.6, pairs: 1, cues: 0.35, previous: 1 },
};

export const COMPOSE: ComposeOptions = {
  seed: 5,
  perType: 250,
  composedWeight: 0.2,
  perFrame: 3,
  themeWeight: 0.3,
  storyShare: 0.2,
  storyWeight: 0.3,
};

export const ROUGHEN: RoughenOptions = { seed: 3, dropped: 0.12, misspelt: 0.06, weight: 0.4 };

export const TRAINING = { l2: 2e-5, iterations: 80 } as const;
export const FOLDS = { count: 5, seed: 7 } as const;
