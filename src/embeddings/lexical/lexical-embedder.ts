import { applyCalibration, type Calibration } from '../calibration';
import type { Embedder } from '../embedder';
import { featureVector } from './features';

/** The name of this embedder's model. Every change of the vectors needs a new name, so that old and new ones are never compared. */
export const LEXICAL_MODEL = 'lexical-1';
/** Converts coverage to relevance: two thirds of a query's words are relevant (0.72), one third is not (0.15). */
const COVERAGE_CALIBRATION: Calibration = { slope: 8, intercept: -4.4 };
/**
 * Converts a cosine to relevance if the texts are not available: a cosine of 0.4 is 0.7. Measured cosines of short queries:
 * 0.28 to 0.71, median 0.51, with memories that have their words; at most 0.36 with others.
 */
const COSINE_CALIBRATION: Calibration = { slope: 14, intercept: -4.75 };
/** Enough that a misspelt word, which a text search does not find, decides between texts that are alike otherwise. */
const MEANING_SHARE = 0.1;
/** The number of texts that are embedded before other work of the process can run: a few milliseconds. */
const TEXTS_PER_STEP = 16;

/**
 * Creates an embedder that compares words and not meaning: it compares stems in any script and tolerates typing errors. It is
 * deterministic and needs neither a model nor a network, so it is the fallback if no model can be loaded.
 */
export function createLexicalEmbedder(dimensions: number): Embedder {
  const similarity = (cosine: number): number => applyCalibration(COSINE_CALIBRATION, cosine);
  return {
    identity: { provider: 'lexical', model: LEXICAL_MODEL, dimensions },
    status: () => ({ state: 'ready' }),
    ready: () => Promise.resolve(),
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const [at, text] of texts.entries()) {
        signal?.throwIfAborted();
        vectors.push(featureVector(text, dimensions));
        if (at % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) await new Promise(setImmediate);
      }
      return vectors;
    },
    similarity,
    relevance: (cosine, coverage) =>
      coverage === undefined ? similarity(cosine) : applyCalibration(COVERAGE_CALIBRATION, coverage),
    meaningShare: MEANING_SHARE,
    close: () => Promise.resolve(),
  };
}
