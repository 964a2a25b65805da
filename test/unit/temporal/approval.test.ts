import type { ApprovalQuestion } from '../../../src/contracts/runs/approvals';
import { toApproval } from '../../../temporal/approval';

const question: ApprovalQuestion = {
  kind: 'tool',
  runId: 'r',
  step: '1',
  toolName: 'calculator',
  args: { a: 1 },
  requestedAt: '2026-11-26T00:00:00.000Z',
  deadline: '2026-11-27T00:00:00.000Z',
  onDeadline: 'deny',
};
const answer = { status: 'approved', decision: 'approve', answeredAt: '2026-11-26T01:00:00.000Z' } as const;

test('the arguments of an answer take the place of those that were asked about', () => {
  expect(toApproval('w', question, undefined)).toMatchObject({ status: 'pending', args: { a: 1 } });
  expect(toApproval('w', question, answer)).toMatchObject({ status: 'approved', args: { a: 1 } });
  expect(toApproval('w', question, { ...answer, args: { a: 2 } })).toMatchObject({ args: { a: 2 } });
});

test('the proposed arguments stay beside them once it has ended, except for a budget', () => {
  expect(toApproval('w', question, undefined)).not.toHaveProperty('proposedArgs');
  const edited = toApproval('w', question, { ...answer, args: { a: 2 } });
  expect(edited).toMatchObject({ args: { a: 2 }, proposedArgs: { a: 1 } });
  for (const outcome of [answer, { status: 'denied', decision: 'deny' }, { status: 'expired' }] as const)
    expect(toApproval('w', question, outcome)).toMatchObject({ args: { a: 1 }, proposedArgs: { a: 1 } });
  expect(toApproval('w', { ...question, kind: 'budget' }, answer).proposedArgs).toBeUndefined();
});

test('long ones are shown as a note of their length, as those of a question are', () => {
  const { args } = toApproval('w', question, { ...answer, args: { text: 'x'.repeat(1_000_000) } });
  expect(args).toBe('left out: 1000011 characters of JSON');
});
