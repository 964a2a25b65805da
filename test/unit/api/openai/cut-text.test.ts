import { cutSentences, cutWords } from '../../../../api/openai/cut-text';

const TEXTS = [
  'Once upon a time,\n it was told.  ',
  '',
  '  ',
  'x'.repeat(60),
  '日本語'.repeat(30),
  'a 🙂🙂 b',
];

test.each(TEXTS)('a text is cut into the same words however it grows: %j', (text) => {
  const { pieces, rest } = cutWords(text);
  expect(pieces.join('') + rest).toBe(text);
  for (let length = 0; length < text.length; length += 1) {
    const some = cutWords(text.slice(0, length));
    expect(pieces.slice(0, some.pieces.length)).toEqual(some.pieces);
    expect(some.pieces.join('') + some.rest).toBe(text.slice(0, length));
  }
});

test('a text is cut into sentences', () => {
  expect(cutSentences('It is 3.5 m. Is it? Yes!')).toEqual(['It is 3.5 m. ', 'Is it? ', 'Yes!']);
});
