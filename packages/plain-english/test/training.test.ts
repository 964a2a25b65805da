import { join } from 'node:path';
import { createIntentClassifier, INTENT_TYPES } from '../src';
import { decodeModel } from '../src/intents/linear-model';
import stored from '../src/intents/model.json';
import { toProbabilities } from '../src/intents/probabilities';
import { fitTemperature } from '../training/calibrate';
import { trainLogistic } from '../training/logistic';
import { readTrainingData, sentencesOf } from '../training/sentences';
import { digestOf, quantise, trainModel } from '../training/train';
import { readIntents, scoreIntents } from './support/intent-scoring';

const data = readTrainingData(join(__dirname, '..', 'training', 'sentences'));
const written = sentencesOf(data.paraphrases);

describe('model.json', () => {
  it('was trained with the present sentences and features: else run npm run train-intents', () => {
    expect(stored.digest).toBe(digestOf(data));
  });

  it('is small, and is refused where it is cut off', () => {
    expect(JSON.stringify(stored).length).toBeLessThanOrEqual(330_000);
    expect(() => createIntentClassifier({ ...stored, weights: 'AAAA' })).toThrow(RangeError);
  });
});

describe('the sentences of the training', () => {
  const keyOf = ({ query, previous = [] }: { query: string; previous?: readonly string[] }) =>
    [query.toLowerCase(), ...previous].join('\n');

  it('have one type each', () => {
    const types = new Map(written.map((sentence) => [keyOf(sentence), sentence.type]));
    expect(written.filter((sentence) => types.get(keyOf(sentence)) !== sentence.type)).toEqual([]);
    expect(new Set(types.values())).toEqual(new Set(INTENT_TYPES));
  });

  it.each(['held-out', 'other-author'])('are not in the set %s', (set) => {
    const trained = new Set(written.map(keyOf));
    expect(readIntents(__dirname, set).filter((sentence) => trained.has(keyOf(sentence)))).toEqual([]);
  });
});

describe('the training', () => {
  it('gives the same model each time, which knows its own sentences', () => {
    const few = <Line>(lines: readonly Line[]) => lines.filter((_, index) => index % 80 === 0);
    const sample = { ...data, paraphrases: few(data.paraphrases), frames: few(data.frames), followUps: [] };
    const model = trainModel(sample, 1_024);
    expect(trainModel(sample, 1_024)).toEqual(model);
    const { accuracy } = scoreIntents(createIntentClassifier(model), sentencesOf(sample.paraphrases));
    expect(accuracy).toBeGreaterThan(0.95);
  });

  it('learns which places go with which class', () => {
    const example = (places: number[], label: number) => ({
      places: Int32Array.from(places),
      values: Float64Array.from(places, () => 1),
      label,
      weight: 1,
    });
    const examples = [example([0, 2], 0), example([0, 3], 0), example([1, 2], 1), example([1, 3], 1)];
    const { weights } = trainLogistic(examples, { classes: 2, size: 4, l2: 1e-3, iterations: 50 });
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map(
      (place) => (weights[place] ?? 0) - (weights[4 + place] ?? 0),
    );
    expect(first).toBeGreaterThan(1);
    expect(second).toBeLessThan(-1);
    expect(Math.abs(third)).toBeLessThan(0.01);
  });

  it('rounds weights to within half a step', () => {
    const weights = Float64Array.from([1, -0.5, 0.254, 0, 2, 0.1]);
    const { steps, scales } = quantise(weights, [0, 0]);
    for (const [at, weight] of weights.entries()) {
      const scale = scales[Math.floor(at / 3)] ?? 0;
      expect(Math.abs((steps[at] ?? 0) * scale - weight)).toBeLessThanOrEqual(scale / 2 + 1e-12);
    }
    expect(decodeModel(stored).size * INTENT_TYPES.length).toBe(decodeModel(stored).steps.length);
  });

  it('finds the temperature at which confidence and accuracy agree', () => {
    // The model is sure by 95 to 5, and right in three of four cases.
    const logits = [3, 0, -20, -20, -20];
    const predictions = Array.from({ length: 100 }, (_, index) => ({
      logits,
      label: index % 4 === 0 ? 1 : 0,
    }));
    expect(toProbabilities(logits, fitTemperature(predictions))[0]).toBeCloseTo(0.75, 1);
  });
});
