import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseForm, plural, singular } from '../src/text/stem';
import words from '../src/text/lexicon/words.json';
import { wordsTagged } from '../src/text/lexicon/words';

const SOURCES = join(__dirname, '..', 'src');

function tagsAskedFor(): Set<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.ts'),
  );
  const texts = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/wordsTagged\('([^']+)'\)/g)].map(([, tag = '']) => tag)),
  );
}

describe('words with tags', () => {
  it('have the tags that readers ask for, and no other', () => {
    const tags = new Set(Object.values(words).flatMap((list) => list.split(' ')));
    expect([...tags].sort()).toEqual([...tagsAskedFor()].sort());
  });

  it('are refused under a tag that none has', () => {
    expect(() => wordsTagged('no-such-tag')).toThrow('no-such-tag');
  });
});

describe('base forms', () => {
  it.each([
    ['boxes', 'box'],
    ['stories', 'story'],
    ['children', 'child'],
    ['glasses', 'glass'],
    ['bus', 'bus'],
    ['lamps', 'lamp'],
  ])('of %s is %s', (noun, expected) => {
    expect(singular(noun)).toBe(expected);
  });

  it.each(['lamp', 'box', 'story'])('of the plural of %s is the noun', (noun) => {
    expect(singular(plural(noun))).toBe(noun);
  });

  it('of a word that is regular is the word', () => {
    expect(baseForm('table')).toBe('table');
  });
});
