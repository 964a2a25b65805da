import { createHash } from 'node:crypto';
import { coverageBy } from '../../../src/embeddings/lexical/coverage';
import { createLexicalEmbedder } from '../../../src/embeddings/lexical/lexical-embedder';
import { cosine } from '../../../src/embeddings/vectors';
import { development, heldOut } from '../../embeddings/lexical.json';
import { withHangLimit } from '../../support/hang-limit';

const embedder = createLexicalEmbedder(768);

async function relevanceOf([query = '', memory = '']: readonly string[]): Promise<number> {
  const [left, right] = await embedder.embed([query, memory]);
  return embedder.relevance(cosine(left!, right!), coverageBy(query)(memory));
}

describe.each([
  ['pairs the weights were chosen on', development],
  ['pairs they were not chosen on', heldOut],
])('%s', (_, { related, unrelated }) => {
  test.each(related)('relevant: %s | %s', async (...pair) => {
    expect(await relevanceOf(pair)).toBeGreaterThanOrEqual(0.7);
  });

  test.each(unrelated)('not relevant: %s | %s', async (...pair) => {
    expect(await relevanceOf(pair)).toBeLessThan(0.3);
  });
});

test('the memory that has the words of a query is the nearest of all', async () => {
  for (const { related } of [development, heldOut]) {
    const memories = await embedder.embed(related.map(([, memory = '']) => memory));
    for (const [at, [query = '']] of related.entries()) {
      const [vector] = await embedder.embed([query]);
      const cosines = memories.map((memory) => cosine(vector!, memory));
      expect([query, cosines.indexOf(Math.max(...cosines))]).toEqual([query, at]);
    }
  }
});

test.each([
  ['the same words in other forms', 'deploying the services', 'We deployed a service'],
  ['one slip in a word', 'kuberntes', 'Kubernetes is what we run everything on'],
  ['accents and full-width letters', 'Ｃafé', 'the cafe is closed'],
  ['parts of an identifier', 'order id', 'the field orderId is missing'],
  ['letter case inside of a word', 'iphone', 'my iPhone is broken'],
  ['letter case inside of a query', 'iPhone', 'my iphone is broken'],
  ['accents of Greek', 'ΣΊΣΥΦΟΣ', 'ο μύθος του Σισυφος'],
  ['a part of a sentence in Chinese', '绿茶', '我喜欢喝绿茶，不喜欢咖啡'],
  ['one character', '茶', '我喜欢喝绿茶'],
  ['another form of the characters', 'ハンバーガー', 'ﾊﾝﾊﾞｰｶﾞｰを食べた'],
  ['a particle in Korean', '서울', '어제 서울에서 친구를 만났어요'],
  ['a part of a sentence in Thai', 'น้ำส้ม', 'เขาดื่มน้ำส้มทุกวัน'],
  ['words of two languages', 'tea 绿茶', '我喜欢喝绿茶 (green tea)'],
])('found in spite of: %s', async (_, query, memory) => {
  expect(await relevanceOf([query, memory])).toBeGreaterThanOrEqual(0.7);
});

test.each([
  ['the same characters in other pairs', '绿茶', '绿色的茶杯'],
  ['one frequent pair of several', '我喜欢喝绿茶', '我喜欢爬山'],
  ['other tones and vowels of Thai', 'ม้า', 'แม่มาแล้ว'],
])('not found by: %s', async (_, query, memory) => {
  expect(coverageBy(query)(memory)).toBeLessThan(0.5);
  expect(await relevanceOf([query, memory])).toBeLessThan(0.5);
});

test('words of a short query may be misspelt, and a long one takes no longer for each word of a memory', () => {
  const words = (count: number, from: number): string[] =>
    Array.from({ length: count }, (_, at) => `w${(from + at).toString(36).padStart(5, '0')}`);
  const memory = 'kubernetes runs here';
  expect(coverageBy(words(20, 0).concat('kuberntes').join(' '))(memory)).toBeGreaterThan(0);
  const query = words(1_500, 0).join(' ');
  const memories = Array.from({ length: 200 }, (_, at) => words(1_500, 2_000 * (at + 1)).join(' '));
  withHangLimit(() => {
    const coverageOf = coverageBy(query);
    for (const long of memories) expect(coverageOf(long)).toBe(0);
  });
});

test('a query without a word of content is judged by the cosine', async () => {
  const same = await relevanceOf(['what is it?', 'what is it?']);
  expect(same).toBeGreaterThanOrEqual(0.7);
  expect(await relevanceOf(['what is it?', 'The night train leaves Vienna at ten.'])).toBeLessThan(0.3);
});

test('similarity rises with the cosine, from below 0.3 to above 0.7', () => {
  const values = [-1, 0, 0.2, 0.4, 0.6, 1].map((value) => embedder.similarity(value));
  expect([...values].sort((a, b) => a - b)).toEqual(values);
  expect(values[1]).toBeLessThan(0.3);
  expect(values[4]).toBeGreaterThan(0.7);
});

test('a change of the vectors is a change of the model: give it another name, and this its digest', async () => {
  const texts = ['The meetings were moved to Thursday', 'café', '東京の天気', 'orderId 42', '!'];
  const places = (await embedder.embed(texts)).map((vector) =>
    [...vector.entries()].filter(([, value]) => value !== 0).map(([at, value]) => [at, value.toFixed(3)]),
  );
  const digest = createHash('sha256').update(JSON.stringify(places)).digest('hex').slice(0, 16);
  expect([embedder.identity.model, digest]).toEqual(['lexical-1', 'cd4d421312fd0589']);
});
