import { applyCalibration, type Calibration } from '../calibration';
import type { Embedder } from '../embedder';
import { featureVector } from './features';

/** Changes with whatever changes the vectors, so that old and new ones are never compared. */
export const LEXICAL_MODEL = 'lexical-1';
/** From coverage to relevance: two thirds of a query's words are relevant (0.72), one third is not (0.15). */
const BY_COVERAGE: Calibration = { slope: 8, intercept: -4.4 };
/**
 * From cosine to relevance, where no texts are at hand: 0.7 is a cosine of 0.4. Measured: short queries and memories
 * with their words 0.28 to 0.71, median 0.51; without them at most 0.36.
 */
const BY_COSINE: Calibration = { slope: 14, intercept: -4.75 };
/** Texts between two turns of the event loop: a few milliseconds. */
const TEXTS_PER_TURN = 16;

/**
 * Compares words and not meaning: stems, forgiving of typing slips, in any script. Deterministic, with neither model
 * nor network; what stands in where no model can be loaded.
 */
export function createLexicalEmbedder(dimensions: number): Embedder {
  const similarity = (cosine: number): number => applyCalibration(BY_COSINE, cosine);
  return {
    identity: { provider: 'lexical', model: LEXICAL_MODEL, dimensions },
    status: () => ({ state: 'ready' }),
    ready: () => Promise.resolve(),
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const [at, text] of texts.entries()) {
        signal?.throwIfAborted();
        vectors.push(featureVector(text, dimensions));
        if (at % TEXTS_PER_TURN === TEXTS_PER_TURN - 1) await new Promise(setImmediate);
      }
      return vectors;
    },
    similarity,
    relevance: (cosine, coverage) =>
      coverage === undefined ? similarity(cosine) : applyCalibration(BY_COVERAGE, coverage),
    close: () => Promise.resolve(),
  };
}
