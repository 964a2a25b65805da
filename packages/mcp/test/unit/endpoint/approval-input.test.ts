import type { Approval } from '../../../../../src/contracts/http/approvals';
import type { ApprovalQuestion } from '../../../../../src/contracts/runs/approvals';
import { readForm, toForm } from '../../../endpoint/approval-input';

const approvalOf = (more: object) => ({ id: 'a', kind: 'call', args: {}, ...more }) as unknown as Approval;
const question = { kind: 'call', args: { amount: 1 } } as unknown as ApprovalQuestion;
const budget = { kind: 'budget', args: { limit: 'tokens', used: 9 } } as unknown as ApprovalQuestion;
const accept = (content: unknown) => ({ action: 'accept', content });

interface Form {
  readonly params: {
    readonly message: string;
    readonly requestedSchema: { readonly properties: object; readonly required: readonly string[] };
  };
}
const formOf = (approval: Approval) => toForm(approval) as unknown as Form;

test('a form shows the call, and asks for the decision and a comment', () => {
  const { params } = formOf(approvalOf({ toolName: 'pay', args: { amount: 5 } }));
  expect(params.message).toBe('A call of pay waits for an approval:\n{\n  "amount": 5\n}');
  expect(Object.keys(params.requestedSchema.properties)).toEqual(['confirm', 'comment']);
  expect(params.requestedSchema.required).toEqual(['confirm']);
});

test('a form of a step has its own message, and one of a budget asks for the new limit', () => {
  expect(formOf(approvalOf({})).params.message).toMatch(/^A step of the run/);
  expect(formOf(approvalOf({ message: 'Pay Ann?' })).params.message).toMatch(/^Pay Ann\?:/);
  const { requestedSchema } = formOf(approvalOf({ kind: 'budget' })).params;
  expect(Object.keys(requestedSchema.properties)).toEqual(['confirm', 'limit']);
});

test('a form that is shown again says why the last answer was not possible', () => {
  const form = toForm(approvalOf({ kind: 'budget' }), 'maxTokens: too low') as unknown as Form;
  expect(form.params.message).toMatch(/^maxTokens: too low\nA step/);
});

test('a form of a call with long arguments stays readable', () => {
  const { message } = formOf(approvalOf({ args: { text: 'x'.repeat(100_000) } })).params;
  expect(message.length).toBeLessThan(2_100);
});

test.each([
  ['confirmed', question, accept({ confirm: true }), { decision: 'approve' }],
  ['not confirmed', question, accept({ confirm: false }), { decision: 'deny' }],
  ['declined', question, { action: 'decline' }, { decision: 'deny' }],
  [
    'declined, with content',
    question,
    { action: 'decline', content: { confirm: true } },
    { decision: 'deny' },
  ],
  [
    'confirmed with a comment',
    question,
    accept({ confirm: true, comment: 'fine' }),
    { decision: 'approve', comment: 'fine' },
  ],
  [
    'denied with a comment',
    question,
    accept({ confirm: false, comment: 'no' }),
    { decision: 'deny', comment: 'no' },
  ],
  ['with an empty comment', question, accept({ confirm: true, comment: ' ' }), { decision: 'approve' }],
  ['with a limit that is no budget', question, accept({ confirm: true, limit: 5 }), { decision: 'approve' }],
  [
    'of a budget with a limit',
    budget,
    accept({ confirm: true, limit: 50 }),
    { decision: 'approve', budget: { tokens: 50 } },
  ],
  ['of a budget without a limit', budget, accept({ confirm: true }), { decision: 'approve' }],
  ['of a budget, denied', budget, accept({ confirm: false, limit: 50 }), { decision: 'deny' }],
])('a form %s is an answer', (_, asked, response, answer) => {
  expect(readForm(asked, response, undefined)).toEqual(answer);
  expect(readForm(asked, response, 'key-ann')).toEqual({ ...answer, by: 'key-ann' });
});

test.each([
  ['was closed', { action: 'cancel' }],
  ['was closed, with content', { action: 'cancel', content: { confirm: true } }],
  ['is unknown', { action: 'approve', content: { confirm: true } }],
  ['has no content', { action: 'accept' }],
  ['does not say whether it approves', accept({ comment: 'fine' })],
  ['says it as a text', accept({ confirm: 'true' })],
  ['has a comment that is too long', accept({ confirm: true, comment: 'x'.repeat(100_000) })],
  ['has a limit that is no number', accept({ confirm: true, limit: 'more' })],
  ['is no object', 'yes'],
  ['is absent', undefined],
])('an answer that %s leaves the approval pending', (_, response) => {
  expect(readForm(question, response, 'key-ann')).toBeUndefined();
});
