import fc from 'fast-check';
import { prettyJson, readLinkForm } from '../../../../api/approvals/link-form';
import type { Approval } from '../../../../src/contracts/http/approvals';

const PENDING: Approval = {
  id: 'id',
  kind: 'tool',
  status: 'pending',
  runId: '01a20900',
  step: '1',
  args: {},
  requestedAt: '2026-11-23T15:22:47.018Z',
  deadline: '2026-11-24T15:22:47.018Z',
  onDeadline: 'deny',
};

/** What a form sends of a text: the ends of lines as CR LF, and in UTF-8 without lone surrogates. */
const sent = (text: string): URLSearchParams =>
  new URLSearchParams(
    new URLSearchParams({ decision: 'approve', args: text.replaceAll(/\r\n|\r|\n/g, '\r\n') }).toString(),
  );

/** Arguments in which no object, at any depth, has the one name that a form refuses. */
const object = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
  .filter((given) => !JSON.stringify(given).includes('"__proto__"'));

test('arguments that were not changed are not sent, whatever characters they have', () => {
  fc.assert(
    fc.property(object, (given) => {
      const args = JSON.parse(JSON.stringify(given)) as object;
      expect(readLinkForm(sent(prettyJson(args)), 'ada', { ...PENDING, args }).args).toBeUndefined();
    }),
  );
});

test('what is shown of changed arguments is read as they are', () => {
  fc.assert(
    fc.property(object, (given) => {
      const args = { ...(JSON.parse(JSON.stringify(given)) as object), changed: true };
      const { args: read } = readLinkForm(sent(prettyJson(args)), 'ada', PENDING);
      expect(JSON.stringify(read)).toBe(JSON.stringify(args));
    }),
  );
});

test('deep arguments are written without indentation, so that they fit into a form', () => {
  const args = JSON.parse(
    `${'{"a":'.repeat(400)}${JSON.stringify(Array(2_000).fill(1))}${'}'.repeat(400)}`,
  ) as object;
  expect(prettyJson(args)).toBe(JSON.stringify(args));
});
