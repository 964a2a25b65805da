import fc from 'fast-check';
import { isOffered, namesTool } from '../../../src/contracts/tool-names';
import { offeredToolsOption } from '../../../requests/request-options';
import { toolNameSchema } from '../../../src/tools/registry-names';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,12}$/);

test('a name is named by itself and by each beginning of it, and by nothing else', () => {
  fc.assert(
    fc.property(name, name, fc.nat(12), (one, other, length) => {
      const beginning = one.slice(0, length);
      expect([namesTool([one], one), namesTool([`${beginning}*`], one)]).toEqual([true, true]);
      expect(namesTool([one], other)).toBe(one === other);
      expect(namesTool([`${beginning}*`], other)).toBe(other.startsWith(beginning));
      expect(namesTool([one, `${other}*`], other)).toBe(true);
    }),
  );
});

test('without entries every tool is offered, and with an empty list none', () => {
  expect([isOffered(undefined, 'a'), isOffered([], 'a'), isOffered(['a'], 'a')]).toEqual([true, false, true]);
});

test('every name that a tool may have, and every beginning of it, may be an entry', () => {
  fc.assert(
    fc.property(name, fc.nat(12), (one, length) => {
      expect(toolNameSchema.safeParse(one).success).toBe(true);
      expect(offeredToolsOption.safeParse([one, `${one.slice(0, length)}*`]).success).toBe(true);
    }),
  );
  for (const wrong of ['', 'a b', '.x', 'a*b', '**', `${'a'.repeat(64)}*`])
    expect([wrong, offeredToolsOption.safeParse([wrong]).success]).toEqual([wrong, false]);
});
