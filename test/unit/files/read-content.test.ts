import { decodeContent, readContent } from '../../../src/files/read-content';

test('a text of every byte of windows-1252 is decoded, and a large one does not occupy the process', async () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const content = await readContent('text/plain; charset=latin1', every);
  expect(content).toMatchObject({ type: 'text/plain' });
  const { text } = content as { readonly text: string };
  expect(text).toHaveLength(256);
  expect([text.slice(0, 128), text[0x80], text[0x81], text[0x9f], text.slice(0xa0)]).toEqual([
    every.toString('latin1', 0, 128),
    '\u20ac',
    '\u0081',
    '\u0178',
    every.toString('latin1', 0xa0),
  ]);
  const began = performance.now();
  await readContent('text/plain; charset=latin1', Buffer.alloc(8 * 1_048_576, 0x85));
  expect(performance.now() - began).toBeLessThan(1_500);
});

test('numbers that no double holds are JSON, which is checked once', async () => {
  const json = Buffer.from('{"a": [1e400, 9007199254740993]}');
  expect(await readContent('application/json', json)).toEqual({
    type: 'application/json',
    text: json.toString(),
  });
  const broken = Buffer.from('{"a": 1e}');
  expect(await readContent('application/geo+json', broken)).toEqual({
    problem: 'is not JSON: it goes wrong at character 8',
  });
  expect(await decodeContent('application/geo+json', broken)).toMatchObject({ text: '{"a": 1e}' });
});
