import { INTENT_TYPES } from '../src/intents/intent-types';
import { createIntentClassifier } from '../src/intents/classifier';
import { decodeModel, quantise } from '../src/intents/linear-model';
import model from '../src/intents/model.json';
import { toProbabilities } from '../src/intents/probabilities';
import { fitTemperature } from '../training/calibrate';
import { composeSentences, composeThemes, tellStories } from '../training/compose';
import { FRAGMENTS, GROUPS, sentencesOf, THEMES, trainingHash } from '../training/data';
import { assignFolds } from '../training/folds';
import { trainLogistic } from '../training/logistic';
import { calibrationError, measure } from '../training/metrics';
import { roughen } from '../training/roughen';
import { COMPOSE, FOLDS, SETTINGS } from '../training/settings';

describe('model.json', () => {
  it('was trained with today’s sentences and features: else run npm run train-intents', () => {
    expect(model.dataHash).toBe(trainingHash(SETTINGS));
  });

  it('was accurate and calibrated on sentences it had not seen', () => {
    expect(model.crossValidated.accuracy).toBeGreaterThanOrEqual(0.9);
    expect(model.crossValidated.macroF1).toBeGreaterThanOrEqual(0.9);
    expect(model.crossValidated.ece).toBeLessThanOrEqual(0.05);
    expect(model.foreign.accuracy).toBeGreaterThanOrEqual(0.84);
    expect(model.foreign.ece).toBeLessThanOrEqual(0.1);
  });

  it('is small, and whole', () => {
    expect(JSON.stringify(model).length).toBeLessThan(400_000);
    expect(decodeModel(model).size * INTENT_TYPES.length).toBe(decodeModel(model).steps.length);
    expect(() => createIntentClassifier({ ...model, weights: 'AAAA' })).toThrow(RangeError);
  });

  it('knows the sentences it was trained with', () => {
    const classifier = createIntentClassifier();
    const sample = sentencesOf(GROUPS).filter((_, index) => index % 7 === 0);
    const right = sample.filter(
      ({ query, previous, type }) => classifier.classify(query, { previousIntents: previous }).type === type,
    );
    expect(right.length / sample.length).toBeGreaterThan(0.97);
  });
});

describe('training data', () => {
  it('has no group id and no sentence twice under different types', () => {
    expect(new Set(GROUPS.map(({ id }) => id)).size).toBe(GROUPS.length);
    const types = new Map<string, string>();
    for (const { query, type, previous } of sentencesOf(GROUPS)) {
      const key = `${query.toLowerCase()} ${previous.join()}`;
      expect({ key, type }).toEqual({ key, type: types.get(key) ?? type });
      types.set(key, type);
    }
  });

  it('is split by group, with every type in every fold', () => {
    const folds = assignFolds(GROUPS, FOLDS.count, FOLDS.seed);
    expect(folds.size).toBe(GROUPS.length);
    for (let fold = 0; fold < FOLDS.count; fold += 1) {
      const types = GROUPS.filter(({ id }) => folds.get(id) === fold).map(({ type }) => type);
      expect(new Set(types).size).toBe(INTENT_TYPES.length);
    }
    expect(assignFolds(GROUPS, FOLDS.count, FOLDS.seed)).toEqual(folds);
  });

  it('is enlarged the same way each time, without gaps left in', () => {
    const composed = composeSentences(FRAGMENTS, COMPOSE);
    expect(composed).toEqual(composeSentences(FRAGMENTS, COMPOSE));
    expect(composed.length).toBeGreaterThan(COMPOSE.perType * 3);
    expect(composed.filter(({ query }) => query.includes('{}'))).toEqual([]);
    expect(composeThemes(THEMES, COMPOSE)).toEqual(composeThemes(THEMES, COMPOSE));
    const themed = composeThemes(THEMES, COMPOSE).map(({ query }) => query);
    expect(themed.filter((query) => query.includes('{}') || query.includes('undefined'))).toEqual([]);
    const [told] = tellStories(sentencesOf(GROUPS), FRAGMENTS, { ...COMPOSE, storyShare: 1 });
    expect(told?.query.endsWith('hi')).toBe(true);
  });
});

describe('roughened sentences', () => {
  const sentences = sentencesOf([
    { id: 'x', type: 'hybrid', sentences: ['please convert the amount from before', 'too short'] },
  ]);

  it('keep their type and lose the words they are told to lose', () => {
    const kept = roughen(sentences, { seed: 1, dropped: 0, misspelt: 0, weight: 0.5 });
    expect(kept).toEqual([{ ...sentences[0], weight: 0.5 }]);
    const [lost] = roughen(sentences, { seed: 1, dropped: 1, misspelt: 0, weight: 0.5 });
    expect(lost).toMatchObject({ query: '', type: 'hybrid' });
  });

  it('have two letters swapped in the longer words', () => {
    const [typed] = roughen(sentences, { seed: 1, dropped: 0, misspelt: 1, weight: 1 });
    expect(typed?.query).toBe('plaese covnert the amuont from beofre');
  });
});

describe('the trainer', () => {
  const example = (places: number[], label: number) => ({
    places: Int32Array.from(places),
    values: Float64Array.from(places, () => 1),
    label,
    weight: 1,
  });

  it('learns which places go with which class', () => {
    const examples = [example([0, 2], 0), example([0, 3], 0), example([1, 2], 1), example([1, 3], 1)];
    const { weights, size } = trainLogistic(examples, 2, 4, { l2: 1e-3, iterations: 50 });
    expect(weights[0]! - weights[size]!).toBeGreaterThan(1);
    expect(weights[1]! - weights[size + 1]!).toBeLessThan(-1);
    expect(Math.abs(weights[2]! - weights[size + 2]!)).toBeLessThan(0.01);
  });

  it('rounds weights to within half a step', () => {
    const weights = Float64Array.from([1, -0.5, 0.254, 0, 2, 0.1]);
    const { steps, scales } = quantise(weights, [0, 0]);
    for (const [at, weight] of weights.entries()) {
      const scale = scales[Math.floor(at / 3)]!;
      expect(Math.abs(steps[at]! * scale - weight)).toBeLessThanOrEqual(scale / 2 + 1e-12);
    }
  });

  it('finds the temperature at which confidence and accuracy agree', () => {
    // Sure by 95 to 5, and right in three of four.
    const predictions = Array.from({ length: 100 }, (_, index) => ({
      logits: [3, 0, -20, -20, -20],
      label: index % 4 === 0 ? 1 : 0,
    }));
    const temperature = fitTemperature(predictions);
    expect(toProbabilities([3, 0, -20, -20, -20], temperature)[0]).toBeCloseTo(0.75, 1);
  });

  it('measures accuracy, F1 and calibration', () => {
    const sure = (type: number) => INTENT_TYPES.map((_, index) => (index === type ? 1 : 0));
    const outcomes = [0, 1, 2, 3, 4].map((label) => ({ label, probabilities: sure(label) }));
    expect(measure(outcomes)).toMatchObject({ accuracy: 1, macroF1: 1, ece: 0 });
    expect(calibrationError([{ label: 1, probabilities: sure(0) }])).toBe(1);
  });
});
