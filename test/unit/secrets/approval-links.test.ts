import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { approvalLinkKey, createApprovalLinks } from '../../../src/secrets/signed-texts';

const links = createApprovalLinks(randomBytes(32));
const link = fc.record({
  approvalId: fc.string({ unit: anyCharacter, minLength: 1 }),
  expiresAt: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
  by: fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }), { nil: undefined }),
});
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ é'.split('');

test('a token says what was signed, in characters of a path', () => {
  fc.assert(
    fc.property(link, (signed) => {
      const token = links.sign(signed);
      expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
      expect({ by: undefined, ...links.read(token) }).toEqual(signed);
    }),
  );
});

test('a token with any character changed, added or removed is refused', () => {
  fc.assert(
    fc.property(
      link,
      fc.nat(),
      fc.constantFrom(...CHARACTERS, ''),
      fc.boolean(),
      (signed, seed, character, insert) => {
        const token = links.sign(signed);
        const at = seed % token.length;
        const altered = token.slice(0, at) + character + token.slice(insert ? at : at + 1);
        fc.pre(altered !== token);
        expect(links.read(altered)).toBeUndefined();
      },
    ),
    { numRuns: 2_000 },
  );
});

test('each character of a signature counts, also the last, which has bits that no byte takes', () => {
  const token = links.sign({ approvalId: 'a', expiresAt: 1 });
  for (const character of CHARACTERS) {
    const altered = token.slice(0, -1) + character;
    expect(links.read(altered) !== undefined).toBe(altered === token);
  }
});

test.each(['', '.', 'a', 'a.b', 'a.b.c', '..', 'e30.', '{}.{}', 'ü.ü'])('"%s" is refused', (token) => {
  expect(links.read(token)).toBeUndefined();
});

test('a payload with the signature of another one, or two signatures, is refused', () => {
  const [one, other] = ['a', 'b'].map((approvalId) => links.sign({ approvalId, expiresAt: 1 }).split('.'));
  expect(links.read(`${one?.[0]}.${other?.[1]}`)).toBeUndefined();
  expect(links.read(`${one?.join('.')}.${one?.[1]}`)).toBeUndefined();
});

test('the key comes from the setting, otherwise from the key of the deployment, and is neither', () => {
  const deployment = randomBytes(32);
  const secret = 'a secret of at least 32 characters';
  const [own, other, derived] = [
    approvalLinkKey(secret, deployment),
    approvalLinkKey(`${secret}!`, deployment),
    approvalLinkKey(undefined, deployment),
  ];
  expect(approvalLinkKey(secret, randomBytes(32))).toEqual(own);
  expect(approvalLinkKey(undefined, Buffer.from(deployment))).toEqual(derived);
  const keys = [own, other, derived, deployment, Buffer.from(secret)];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(5);
  const token = createApprovalLinks(own).sign({ approvalId: 'a', expiresAt: 1 });
  expect(createApprovalLinks(own).read(token)).toEqual({ approvalId: 'a', expiresAt: 1 });
  expect(createApprovalLinks(derived).read(token)).toBeUndefined();
});
