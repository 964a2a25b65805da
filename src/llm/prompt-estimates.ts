import type { ProviderName } from '../contracts/http/llm';
import { countImages } from './file-parts';
import { estimateParts, FIRST_FACTORS, type Prompt } from './prompt-tokens';

/** The estimates of prompts of one provider, corrected for each model by what its server counted. */
export interface PromptEstimates {
  /** The tokens of a prompt, with a margin for what its server may count more. */
  estimate(prompt: Prompt): number;
  /** Learns from a prompt whose tokens the server has counted. */
  learn(prompt: Prompt, promptTokens: number): void;
}

/** The margin above an estimate before and after the server has counted prompts of the model. */
const FIRST_MARGIN = 1.15;
const LEARNED_MARGIN = 1.08;
/** The middle one of this many latest counts decides: a call that was repaired is counted twice, and says nothing. */
const COUNTS = 5;
/** What a factor can be. A server that drops tools counts nothing for them. */
const MIN_TEXT_FACTOR = 0.3;
const MAX_FACTOR = 4;
/** Models of a provider, of which callers may name any number. */
const MAX_MODELS = 100;

interface Learned {
  readonly text: number[];
  readonly more: number[];
}

/** Creates the estimates of a provider. They are of this process, and begin anew with it. */
export function createPromptEstimates(provider: ProviderName): PromptEstimates {
  const learned = new Map<string, Learned>();
  const first = FIRST_FACTORS[provider];

  function learnedOf(model = ''): Learned {
    const entry = learned.get(model) ?? { text: [], more: [] };
    if (!learned.has(model) && learned.size >= MAX_MODELS) learned.clear();
    learned.set(model, entry);
    return entry;
  }

  return {
    estimate(prompt) {
      const { text, more } = estimateParts(prompt);
      const counts = learnedOf(prompt.model);
      const isKnown = (more === 0 ? counts.text : counts.more).length > 0;
      const tokens = text * middleOf(counts.text, first.text) + more * middleOf(counts.more, first.more);
      return Math.ceil(tokens * (isKnown ? LEARNED_MARGIN : FIRST_MARGIN));
    },
    learn(prompt, promptTokens) {
      // What an image counts differs by its size and by the model, and says nothing of texts.
      if (countImages(prompt.messages) > 0) return;
      const { text, more } = estimateParts(prompt);
      const counts = learnedOf(prompt.model);
      if (promptTokens <= 0 || text === 0) return;
      if (more === 0) return note(counts.text, promptTokens / text, MIN_TEXT_FACTOR);
      note(counts.more, (promptTokens - text * middleOf(counts.text, first.text)) / more, 0);
    },
  };
}

function note(factors: number[], factor: number, min: number): void {
  factors.push(Math.min(MAX_FACTOR, Math.max(min, factor)));
  if (factors.length > COUNTS) factors.shift();
}

function middleOf(factors: readonly number[], otherwise: number): number {
  const sorted = [...factors].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? otherwise;
}
