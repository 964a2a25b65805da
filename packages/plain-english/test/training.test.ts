import { join } from 'node:path';
import { createIntentClassifier, INTENT_TYPES } from '../src';
import stored from '../src/intents/model.json';
import { readTrainingData, sentencesOf } from '../training/sentences';
import { digestOf, trainModel } from '../training/train';
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

test('the training gives the same model each time, and the model knows its sentences', () => {
  const few = <Line>(lines: readonly Line[]) => lines.filter((_, index) => index % 80 === 0);
  const sample = { ...data, paraphrases: few(data.paraphrases), frames: few(data.frames), followUps: [] };
  const model = trainModel(sample, 1_024);
  expect(trainModel(sample, 1_024)).toEqual(model);
  const { accuracy } = scoreIntents(createIntentClassifier(model), sentencesOf(sample.paraphrases));
  expect(accuracy).toBeGreaterThan(0.95);
});
