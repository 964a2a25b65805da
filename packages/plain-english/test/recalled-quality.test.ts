import path from 'node:path';
import fc from 'fast-check';
import {
  answerFromMemories,
  fillFromMemories,
  nothingKnown,
  recallTerms,
  replyToTalk,
  type RecalledText,
} from '../src';
import { memoriesOf, NOW, readCases, score } from './support/recalled-scoring';

const FOLDER = path.join(__dirname, 'recalled');
const development = readCases(path.join(FOLDER, 'development.json'));

function told(text: string, kind: RecalledText['kind'] = 'episodic'): RecalledText {
  return { id: text.slice(0, 8), kind, text, timestamp: '2026-11-01T08:00:00Z', relevance: 0.5 };
}

describe('answers from memories, over sentences', () => {
  it('answers what it was developed with', () => {
    const { right, wrong, failures } = score(development);
    expect({ failures, isGood: right >= 0.95 && wrong <= 0.03 }).toMatchObject({ isGood: true });
  });

  it('answers what nobody looked at', () => {
    const { right, wrong, failures } = score(readCases(path.join(FOLDER, 'held-out.json')));
    expect({ failures, isGood: right >= 0.88 && wrong <= 0.03 }).toMatchObject({ isGood: true });
  });
});

describe('questions of the third author', () => {
  it('answers as many as before', () => {
    const cases = readCases(path.join(__dirname, 'areas', 'development', 'memory-third.json'));
    const { right, wrong } = score(cases);
    expect(Math.round(right * cases.length)).toBeGreaterThanOrEqual(157);
    expect(Math.round(wrong * cases.length)).toBeLessThanOrEqual(3);
  });
});

describe('properties', () => {
  const words = fc.constantFrom(
    ...'I we my our you the a is am are not never do like prefer live in Rome tea 12 litres per week times 4 and but , . ? : what where when how many much who sister Ola name called used to'.split(
      ' ',
    ),
  );
  const sentence = fc.array(words, { maxLength: 25 }).map((parts) => parts.join(' '));
  const text = fc.oneof(sentence, fc.string({ unit: 'binary', maxLength: 200 }));

  it('throws on no text, and answers the same each time', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), (query, texts) => {
        const memories = texts.map((one, index) => told(one, index % 2 === 0 ? 'episodic' : 'semantic'));
        const all = (): unknown => [
          answerFromMemories(query, memories, NOW),
          fillFromMemories(query, memories, NOW),
          replyToTalk(query, 'failed'),
          recallTerms(query),
          nothingKnown(query, { intent: 'memory_chat', withMemory: true, why: 'failed' }),
        ];
        expect(all()).toEqual(all());
      }),
      { numRuns: 300 },
    );
  });

  it('names no memory as a source that it was not given', () => {
    fc.assert(
      fc.property(sentence, fc.array(sentence, { maxLength: 4 }), (query, texts) => {
        const memories = texts.map((one, index) => ({ ...told(one), id: `memory-${index}` }));
        const found = answerFromMemories(query, memories, NOW);
        const ids = new Set(memories.map(({ id }) => id));
        expect((found?.sourceIds ?? []).every((id) => ids.has(id))).toBe(true);
        expect(found?.sourceIds.length).not.toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'I like ',
    'my my ',
    '"',
    'and I ',
    'a',
    'how many ',
    '. ',
    'my sister ',
    'times 4 ',
    '(',
    'the number of a ',
  ])('reads 100 kB of %j in bounded time', (part) => {
    const long = part.repeat(Math.ceil(100_000 / part.length));
    const start = process.cpuUsage();
    answerFromMemories(long, [told(long), told(long, 'semantic')], NOW);
    fillFromMemories(long, [told(long)], NOW);
    replyToTalk(long, 'failed');
    recallTerms(long);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  // As a ratio in one run: what a query costs in milliseconds depends on the machine and on what else it does.
  it('looks through five times as many memories for about five times the work', () => {
    const memories = development.flatMap(memoriesOf);
    const queries = development.slice(0, 100).map(({ query }) => query);
    const costOf = (count: number): number => {
      const known = memories.slice(0, count);
      const start = process.cpuUsage();
      for (const query of queries) answerFromMemories(query, known, NOW);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    costOf(50);
    const ratios = Array.from({ length: 5 }, () => costOf(50) / costOf(10)).sort((a, b) => a - b);
    expect(ratios[2]).toBeLessThan(12);
  });
});
