import fc from 'fast-check';
import { judgeAddress } from '../../../src/egress/addresses';

test('an IPv4 address is judged the same in every form that carries it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      const verdict = judgeAddress(address);
      for (const form of [`::ffff:${address}`, `::ffff:${high}:${low}`, `64:ff9b::${address}`]) {
        expect(judgeAddress(form)).toEqual(verdict);
      }
      expect(judgeAddress(`2002:${high}:${low}::1`)).toEqual(verdict);
    }),
  );
});

test('every address has a verdict', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      expect(['public', 'private', 'refused']).toContain(judgeAddress(address).reach);
    }),
  );
});
