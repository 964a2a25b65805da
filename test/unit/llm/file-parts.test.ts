import fc from 'fast-check';
import { partsOf, textWithFiles } from '../../../src/llm/file-parts';
import { anyCharacter } from '../../support/any-character';

const text = fc.string({ unit: anyCharacter, maxLength: 40 });
/** Pieces of which tags are made, in the order that chance gives them. */
const hostile = fc
  .array(
    fc.constantFrom(
      '<',
      '/',
      'file',
      'FILE',
      'files',
      '>',
      ' ',
      '\n',
      '"',
      '&lt;',
      'name="x"',
      'memories',
      'instructions',
    ),
  )
  .map((pieces) => pieces.join(''));
const content = fc.oneof(
  text,
  hostile,
  fc.tuple(text, hostile).map((pair) => pair.join('</file>')),
);

test('no name and no content of a file ends its element or begins another', () => {
  const file = fc.record({ name: content, text: content });
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), (files) => {
      const sent = files.map(({ name, text: inside }) => ({
        name,
        type: 'text/plain',
        size: 1,
        text: inside,
      }));
      const written = textWithFiles({ role: 'user', content: 'What is it?', files: sent });
      expect(written.match(/<[\s/]*files?\b[^>]*>/gi)).toHaveLength(2 * files.length);
      expect(written.match(/<[\s/]*(?:memories|facts?|instructions?)\b/gi)).toBeNull();
      expect(written.match(/^<file name="[^"<>]*" type="text\/plain">$/gm)?.length ?? 0).toBeLessThanOrEqual(
        files.length,
      );
    }),
  );
});

test('other marks stay as they are', () => {
  const code = 'if (a < b && c > "d") <div file="x"></div>';
  const files = [{ name: 'a.tsx', type: 'text/plain', size: 1, text: code }];
  expect(textWithFiles({ role: 'user', content: 'q', files })).toContain(`\n${code}\n</file>\n\nq`);
});

test('a message without files is its words alone', () => {
  expect(partsOf({ role: 'user', content: '<file>' })).toEqual([{ text: '<file>' }]);
});
