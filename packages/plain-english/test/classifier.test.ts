import fc from 'fast-check';
import { createIntentClassifier, INTENT_TYPES } from '../src';
import { HINT_ODDS, weighSurroundings } from '../src/intents/probabilities';
import { measureCpuTime } from './support/cpu-time';
import { readIntents, scoreIntents } from './support/intent-scoring';

const classifier = createIntentClassifier();

it.each([
  ['held-out', 0.91],
  ['other-author', 0.84],
])('of the set %s, a share of %d is right, and the confidence is true', (set, minAccuracy) => {
  const score = scoreIntents(classifier, readIntents(__dirname, set));
  expect(score.accuracy).toBeGreaterThanOrEqual(minAccuracy);
  expect(score.calibrationError).toBeLessThanOrEqual(0.08);
});

it('gives probabilities that sum to 1, with the confidence on top, and the same each time', () => {
  const query = 'how many weeks until the exam I told you about';
  const result = classifier.classify(query);
  const values = Object.values(result.probabilities);
  expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
  expect(result.confidence).toBe(Math.max(...values));
  expect(result.probabilities[result.type]).toBe(result.confidence);
  expect(createIntentClassifier().classify(query)).toEqual(result);
});

describe('previous intents', () => {
  it('decide what a short follow-up means', () => {
    const typeAfter = (before: string) =>
      classifier.classify('and times 3?', { previousIntents: [before] }).type;
    expect(typeAfter('tool_execution')).toBe('tool_execution');
    expect(typeAfter('memory_chat')).toBe('hybrid');
  });

  it('leave a full sentence alone', () => {
    const query = 'could you please tell me what the capital of Portugal is called';
    for (const before of INTENT_TYPES)
      expect(classifier.classify(query, { previousIntents: [before] }).type).toBe('knowledge_search');
  });

  it('do not count where their names are unknown', () => {
    const plain = classifier.classify('and times 3?');
    expect(classifier.classify('and times 3?', { previousIntents: ['__proto__', ''] })).toEqual(plain);
  });
});

describe('a hint', () => {
  it('multiplies the odds of its type, and by no more than that', () => {
    const odds = (share: number) => share / (1 - share);
    const plain = classifier.classify('the blue one').probabilities;
    for (const hintIntent of INTENT_TYPES) {
      const hinted = classifier.classify('the blue one', { hintIntent }).probabilities;
      expect(odds(hinted[hintIntent]) / odds(plain[hintIntent])).toBeCloseTo(HINT_ODDS, 6);
    }
  });

  it('does not overrule a clear sentence', () => {
    for (const hintIntent of INTENT_TYPES)
      expect(classifier.classify('what is 15% of 80', { hintIntent }).type).toBe('tool_execution');
  });
});

describe('surroundings', () => {
  it('shift probabilities, and count less than the query', () => {
    const around = [0.05, 0.8, 0.05, 0.05, 0.05];
    const shifted = weighSurroundings([0.4, 0.35, 0.1, 0.1, 0.05], around);
    expect(shifted.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
    expect(shifted[1]).toBeGreaterThan(shifted[0] ?? 1);
    const sure = weighSurroundings([0.96, 0.01, 0.01, 0.01, 0.01], around);
    expect(sure.indexOf(Math.max(...sure))).toBe(0);
  });

  it('count only if there is doubt', () => {
    const surroundings = 'multiply 12 by 4 and add 3';
    const plain = classifier.classify('the blue one');
    const context = { surroundings, doubtBelow: 1 };
    expect(classifier.classify('the blue one', context).probabilities).not.toEqual(plain.probabilities);
    expect(classifier.classify('the blue one', { surroundings, doubtBelow: 0 })).toEqual(plain);
  });
});

describe('the reasoning', () => {
  it.each([
    ['what is 15% of 80', /number|calculation/],
    ['fetch https://example.com/x', /web address|web request|server/],
    ['double the number I gave you', /you said|telling|calculation/],
    ['qwerty', /^Taken as/],
  ])('of "%s" is one sentence about what it has', (query, expected) => {
    const { reasoning } = classifier.classify(query);
    expect(reasoning).toMatch(/^Taken as \w+ because .+[^.]\.$/);
    expect(reasoning).toMatch(expected);
  });
});

describe('required tools', () => {
  const tools = [
    { name: 'calculator', description: 'Adds, subtracts, multiplies or divides two numbers.' },
    { name: 'api_call', description: 'Sends an HTTP request and returns the status and the body.' },
    { name: 'json_reader', description: 'Reads a value out of a JSON text with a JSONPath query.' },
    { name: 'weather', description: 'The current weather at a place.' },
    { name: 'send_invoice', description: 'Sends an invoice to a customer.' },
  ];

  it.each([
    ['what is 3 times 9', ['calculator']],
    ['fetch https://example.com/x', ['api_call']],
    ['get the name out of {"name":"Ann"}', ['json_reader']],
    ['weather in Oslo right now', ['weather']],
    ['send the invoice for 300 to the customer from before', ['send_invoice']],
    ['what did I say about the weather', []],
    ['thanks a lot', []],
  ])('of "%s" begin with %j', (query, first) => {
    expect(classifier.classify(query, { tools }).requiredTools.slice(0, 1)).toEqual(first);
  });
});

describe('any text', () => {
  it('is classified without an error', () => {
    const signs = fc.constantFrom('{', '"', '[', '.', 'a', '-', '1', ':', '<', '@', ' ', '\ud800');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(signs, { maxLength: 300 }).map((parts) => parts.join('')),
    );
    const isSound = (query: string): boolean => {
      const { confidence, reasoning } = classifier.classify(query, { previousIntents: [query] });
      return confidence >= 0.2 && confidence <= 1 && reasoning.length < 500;
    };
    fc.assert(fc.property(text, isSound), { numRuns: 200 });
  });

  it.each(['what did I tell you about it, and 3 + 4 ', '{"a":', '"a ', 'a.', 'a-', 'a.b@', 'a', '1,'])(
    'of a million characters takes no more than in proportion to its length: %s',
    (unit) => {
      const cpuTimeOf = (characters: number): number => {
        const query = unit.repeat(Math.ceil(characters / unit.length));
        return measureCpuTime(() => classifier.classify(query));
      };
      const ofTenth = cpuTimeOf(100_000);
      // In proportion would be ten times, and the square a hundred times.
      expect(cpuTimeOf(1_000_000)).toBeLessThan(30 * Math.max(ofTenth, 1_000));
    },
  );
});
