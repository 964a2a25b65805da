import { join } from 'node:path';
import fc from 'fast-check';
import { INTENT_TYPES } from '../src/intents/intent-types';
import { createIntentClassifier } from '../src/intents/classifier';
import { HINT_ODDS } from '../src/intents/probabilities';
import { measureCpuTime } from './support/cpu-time';
import { describeScore, scoreIntents } from './support/intent-scoring';

const classifier = createIntentClassifier();
const INTENTS = join(__dirname, 'intents');

describe('builtin intent classifier', () => {
  it('tells apart what lies near the borders', () => {
    const score = scoreIntents(classifier, join(INTENTS, 'borders.json'));
    const shown = score.mistakes.map(({ query, type, taken }) => `${type} taken as ${taken}: ${query}`);
    expect({ enough: score.accuracy >= 0.9, shown }).toEqual({ enough: true, shown });
    expect(score.ece).toBeLessThan(0.15);
  });

  it('holds on sentences that it was not trained with', () => {
    const score = scoreIntents(classifier, join(INTENTS, 'development.json'));
    console.info(describeScore(score));
    expect(score.accuracy).toBeGreaterThanOrEqual(0.94);
    expect(score.ece).toBeLessThanOrEqual(0.1);
  });

  it.each([
    ['300 sentences that nobody has looked at', 'held-out.json', 0.9],
    ['paraphrases by an author that took no part in the training', 'other-author.json', 0.84],
  ])('holds on %s', (_, file, least) => {
    const score = scoreIntents(classifier, join(INTENTS, file));
    console.info(describeScore(score));
    expect(score.accuracy).toBeGreaterThanOrEqual(least);
    expect(score.ece).toBeLessThanOrEqual(0.1);
  });

  it('gives the same answer every time and in every instance', () => {
    const query = 'how many weeks until the exam I told you about';
    expect(createIntentClassifier().classify(query)).toEqual(classifier.classify(query));
  });

  it('gives probabilities that sum to 1, with the confidence on top', () => {
    const { probabilities, confidence, type } = classifier.classify('what is 3 times 9');
    const values = Object.values(probabilities);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
    expect(confidence).toBe(Math.max(...values));
    expect(probabilities[type]).toBe(confidence);
  });
});

describe('previous intents', () => {
  it('decide what a short follow-up means', () => {
    const times = (before: string) => classifier.classify('and times 3?', { previousIntents: [before] }).type;
    expect(times('tool_execution')).toBe('tool_execution');
    expect(times('memory_chat')).toBe('hybrid');
  });

  it('leave a full sentence alone', () => {
    const query = 'could you please tell me what the capital of Portugal is called';
    const alone = classifier.classify(query).type;
    expect(alone).toBe('knowledge_search');
    for (const before of INTENT_TYPES)
      expect(classifier.classify(query, { previousIntents: [before] }).type).toBe(alone);
  });

  it('may be names that nobody knows', () => {
    const query = 'and times 3?';
    const plain = classifier.classify(query);
    expect(classifier.classify(query, { previousIntents: ['__proto__', ''] })).toEqual(plain);
  });
});

describe('a hint', () => {
  it('multiplies the odds of its type, and by no more than that', () => {
    const query = 'the blue one';
    const plain = classifier.classify(query).probabilities;
    for (const hintIntent of INTENT_TYPES) {
      const hinted = classifier.classify(query, { hintIntent }).probabilities;
      const odds = (share: number) => share / (1 - share);
      expect(odds(hinted[hintIntent]) / odds(plain[hintIntent])).toBeCloseTo(HINT_ODDS, 6);
    }
  });

  it('does not overrule a clear sentence', () => {
    const query = 'what is 15% of 80';
    expect(classifier.classify(query).confidence).toBeGreaterThan(0.75);
    for (const hintIntent of INTENT_TYPES)
      expect(classifier.classify(query, { hintIntent }).type).toBe('tool_execution');
  });
});

describe('reasoning', () => {
  it.each([
    ['what is 15% of 80', /percent|calculation|number/],
    ['fetch https://example.com/x', /web address|server|request/],
    ['what did I tell you about the boat', /told|said before|tell/],
    ['thanks a lot!', /thanks|exclamation|casual/],
    ['why is the sky blue', /reason|fact|explanation|world|science/],
    ['double the number I gave you', /told me|said before|calculation/],
  ])('names what it saw in "%s"', (query, expected) => {
    expect(classifier.classify(query).reasoning).toMatch(expected);
  });

  it('is one sentence, and differs between queries of one type', () => {
    const queries = ['what is 15% of 80', 'weather in Oslo right now', 'fetch https://example.com/x'];
    const reasons = queries.map((query) => classifier.classify(query).reasoning);
    for (const reason of reasons) expect(reason).toMatch(/^Taken as \w+ because .+[^.]\.$/);
    expect(new Set(reasons).size).toBe(queries.length);
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
    ['what is 3 times 9', 'calculator'],
    ['fetch https://example.com/x', 'api_call'],
    ['get the name out of {"name":"Ann"}', 'json_reader'],
    ['weather in Oslo right now', 'weather'],
  ])('for "%s" start with %s', (query, first) => {
    expect(classifier.classify(query, { tools }).requiredTools[0]).toBe(first);
  });

  it('are none for intents that run no tool', () => {
    expect(classifier.classify('what did I say about the weather', { tools }).requiredTools).toEqual([]);
    expect(classifier.classify('thanks a lot', { tools }).requiredTools).toEqual([]);
  });
});

describe('any text at all', () => {
  it('is classified without an error', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.array(fc.constantFrom('{', '"', '[', '.', 'a', '-', '1', ':', '<', '@', ' ', '\ud800'), { maxLength: 300 }).map((parts) => parts.join('')),
    ); // prettier-ignore
    fc.assert(
      fc.property(text, (query) => {
        const { confidence, reasoning } = classifier.classify(query, { previousIntents: [query] });
        return confidence >= 0.2 && confidence <= 1 && reasoning.length < 500;
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['words', 'what did I tell you about it, and 3 + 4 '],
    ['braces', '{"a":'],
    ['quotes', '"a '],
    ['dots', 'a.'],
    ['hyphens', 'a-'],
    ['addresses', 'a.b@'],
    ['one long word', 'a'],
    ['digits', '1,'],
  ])('of a million characters takes no more than in proportion to its length: %s', (_name, unit) => {
    const cpuTimeOf = (characters: number): number => {
      const query = unit.repeat(Math.ceil(characters / unit.length));
      return measureCpuTime(() => classifier.classify(query));
    };
    const ofTenth = cpuTimeOf(100_000);
    // Ten times is in proportion, a hundred times would be its square.
    expect(cpuTimeOf(1_000_000)).toBeLessThan(30 * Math.max(ofTenth, 1_000));
  });
});
