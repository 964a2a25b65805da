import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { takePage } from '../../../endpoint/build-server';

const named = (names: readonly string[]) => names.map((name) => ({ name }));

/** Reads all pages. @param change changes the catalogue after each page */
function readAll(names: readonly string[], change = (now: readonly string[]) => now): string[][] {
  const pages: string[][] = [];
  let now = names;
  let cursor: string | undefined;
  do {
    const { page, nextCursor } = takePage(named(now), cursor);
    pages.push(page.map(({ name }) => name));
    cursor = nextCursor;
    now = change(now);
  } while (cursor !== undefined);
  return pages;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `tool_${1_000 + n}`);

test('a page has 100 items, and the last one no cursor', () => {
  expect(readAll(numbered(250)).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(readAll(numbered(100)).map(({ length }) => length)).toEqual([100]);
  expect(readAll([])).toEqual([[]]);
});

test('the next page is right although the item before it was removed', () => {
  const [first, second] = readAll(numbered(150), (now) => now.filter((name) => name !== 'tool_1099'));
  expect(first!.at(-1)).toBe('tool_1099');
  expect(second!.at(0)).toBe('tool_1100');
});

test('whatever is added and removed meanwhile, an item that stays is listed once', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 350 });
  fc.assert(
    fc.property(names, names, (before, added) => {
      const stays = before.filter((_, at) => at % 3 !== 0);
      const listed = readAll(before, () => [...new Set([...added, ...stays])]).flat();
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual([...listed].sort());
      expect(listed).toEqual(expect.arrayContaining(stays));
    }),
    { numRuns: 50 },
  );
});

test.each(['', 'x', '!', Buffer.from('before:a').toString('base64url')])(
  'the cursor "%s" is refused',
  (cursor) => {
    expect(() => takePage(named(['a']), cursor)).toThrow(
      expect.objectContaining({ code: ProtocolErrorCode.InvalidParams }),
    );
  },
);
