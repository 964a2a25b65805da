import fc from 'fast-check';
import { LiveTexts } from '../../../src/live-text/live-texts';
import { readLiveText } from '../../../src/live-text/read-live-text';
import { serveLiveTexts } from '../../../src/live-text/serve-live-texts';

const texts = new LiveTexts();
let close: () => Promise<void>;
beforeAll(async () => {
  close = await serveLiveTexts(texts, { host: '127.0.0.1', port: 0 });
});
afterAll(() => close());

const never = new AbortController().signal;

test('a text is read from its beginning while it grows, until it ends', async () => {
  const text = texts.begin();
  text.replace('Once ');
  const heard: string[] = [];
  const rest = ['Once upon ', 'Once upon a time'];
  await readLiveText(
    texts.addressOf(text) ?? '',
    (soFar) => {
      heard.push(soFar);
      const next = rest.shift();
      if (next === undefined) texts.end(text);
      else text.replace(next);
    },
    never,
  );
  expect(heard).toEqual(['Once ', 'Once upon ', 'Once upon a time']);
});

test('any text arrives as it is, also when it is cut between the halves of a character', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.nat(),
      async (whole, cut) => {
        const text = texts.begin();
        text.replace(whole.slice(0, cut % whole.length));
        let heard = '';
        const reading = readLiveText(texts.addressOf(text) ?? '', (soFar) => (heard = soFar), never);
        text.replace(whole);
        texts.end(text);
        // A text that has ended before the request came is not known any more.
        await reading.catch((error: unknown) => {
          expect(String(error)).toContain('404');
          heard = whole;
        });
        expect(heard).toBe(whole);
      },
    ),
    { numRuns: 20 },
  );
});

test('a text that is begun again cuts its readers off, and an unknown one is an error', async () => {
  const text = texts.begin();
  text.replace('Once upon a time');
  const reading = readLiveText(texts.addressOf(text) ?? '', () => text.replace('No'), never);
  await expect(reading).rejects.toThrow('aborted');
  texts.end(text);
  await expect(readLiveText(texts.addressOf(text) ?? '', () => undefined, never)).rejects.toThrow('404');
  await expect(readLiveText('http://127.0.0.1:1/x', () => undefined, never)).rejects.toThrow('ECONNREFUSED');
});

test('a reader that leaves ends its request', async () => {
  const text = texts.begin();
  text.replace('Once ');
  const leaving = new AbortController();
  const reading = readLiveText(texts.addressOf(text) ?? '', () => leaving.abort(), leaving.signal);
  await expect(reading).rejects.toThrow('abort');
  texts.end(text);
});
