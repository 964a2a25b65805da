import fc from 'fast-check';
import { answeredPage, endedPage, problemPage, questionPage } from '../../../../api/approvals/approval-page';
import type { Page } from '../../../../api/http/page-route';
import { html } from '../../../../api/http/html';
import { HoldfastError, validationError } from '../../../../src/base/errors';
import type { Approval } from '../../../../src/contracts/http/approvals';

const PENDING: Approval = {
  id: 'id',
  kind: 'tool',
  status: 'pending',
  runId: '01a20900',
  step: '1',
  toolName: 'calculator',
  args: { operation: 'add', a: 1 },
  requestedAt: '2026-11-23T15:22:47.018Z',
  deadline: '2026-11-24T15:22:47.018Z',
  onDeadline: 'deny',
};
const EVIL = `</pre><script>alert("1")</script><b onclick='x'>&amp;`;
const textOf = ({ content }: Page): string => content.text;

test('a question has its form, and says what is asked', () => {
  const text = textOf(questionPage({ ...PENDING, message: 'May it?' }, 'ada'));
  expect(text).toContain('<form method="post">');
  expect(text).toContain('<button name="decision" value="approve">');
  expect(text).toContain('<button name="decision" value="deny" formnovalidate>');
  for (const part of ['May it?', 'tool', 'calculator', '01a20900', '2026-11-24 15:22:47 UTC', '<b>ada</b>'])
    expect(text).toContain(part);
  expect(text).toContain('{\n  &quot;operation&quot;: &quot;add&quot;,\n  &quot;a&quot;: 1\n}');
  expect(textOf(questionPage(PENDING, undefined))).not.toContain('You answer as');
});

test('a step that asks a model has no tool, and its prompt is shown', () => {
  const { toolName: _, ...step } = PENDING;
  const text = textOf(questionPage({ ...step, kind: 'step', args: { prompt: 'Write it' } }, undefined));
  expect(text).toContain('step, which asks a model');
  expect(text).toContain('Write it');
  expect(text).not.toContain('Tool');
});

test.each<[string, string]>([
  ['deny', 'it is denied'],
  ['approve', 'it is approved'],
  ['fail', 'its run fails'],
])('what happens without an answer is said: %s', (onDeadline, words) => {
  const approval = { ...PENDING, onDeadline: onDeadline as Approval['onDeadline'] };
  expect(textOf(questionPage(approval, undefined))).toContain(words);
});

test('no text of the approval is markup', () => {
  const asked = { ...PENDING, message: EVIL, toolName: EVIL, step: EVIL, args: { [EVIL]: [EVIL, { EVIL }] } };
  const answered = { ...asked, status: 'denied', by: EVIL, comment: EVIL, answeredAt: EVIL } as Approval;
  for (const page of [questionPage(asked, EVIL), answeredPage(answered), endedPage(answered, 410)]) {
    expect(textOf(page)).not.toMatch(/<script|<b onclick|"1"/);
    expect(textOf(page)).toContain('&lt;script&gt;alert(');
    expect(textOf(page)).toContain('&amp;amp;');
  }
});

test('escaped text never has a character of markup, in elements or attributes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '\n') }), (text) => {
      expect(html`${text}`.text).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});

test('neither arguments nor message can show their characters in another order', () => {
  const evil = 'ada\u202Egro.live\u2066';
  const text = textOf(questionPage({ ...PENDING, message: evil, args: { to: evil } }, undefined));
  expect(text.split(String.raw`ada\u202egro.live\u2066`)).toHaveLength(3);
  expect(text).not.toContain(evil);
});

test('arguments that were changed are shown beside those that were proposed', () => {
  const end = { ...PENDING, status: 'approved', proposedArgs: PENDING.args } as const;
  expect(textOf(answeredPage(end))).not.toContain('Proposed');
  const text = textOf(endedPage({ ...end, args: { a: 2 } }, 200));
  expect(text).toMatch(/<h2>Arguments<\/h2>\s*<pre>{\s*&quot;a&quot;: 2\s*}/);
  expect(text).toMatch(/<h2>Proposed arguments<\/h2>\s*<pre>{\s*&quot;operation&quot;/);
});

test.each<[Partial<Approval>, string]>([
  [{ status: 'approved', by: 'ada', answeredAt: PENDING.deadline }, '<b>approved</b> by <b>ada</b> at <time'],
  [{ status: 'approved', budget: { maxToolCalls: 6 } }, '{&quot;maxToolCalls&quot;:6}'],
  [{ status: 'denied', comment: 'no money' }, 'Comment: no money'],
  [{ status: 'expired' }, 'or its run ended first.</p>'],
  [{ status: 'expired', decision: 'approve' }, 'It counts as approved.'],
  [{ status: 'expired', decision: 'deny' }, 'It counts as denied.'],
])('how it ended is said, without a form: %j', (end, words) => {
  const page = endedPage({ ...PENDING, ...end }, 410);
  expect([page.status, textOf(page)]).toEqual([410, expect.stringContaining(words)]);
  expect(textOf(page)).not.toContain('<form');
});

test.each([
  [new HoldfastError('APPROVAL_NOT_FOUND', 'x'), 404, 'This link is not valid'],
  [new HoldfastError('APPROVAL_EXPIRED', 'x'), 410, 'This link has expired'],
  [validationError('decision', 'is <odd>'), 400, 'This form cannot be used'],
  [new HoldfastError('ENGINE_UNAVAILABLE', 'x'), 503, 'Please try again in a moment'],
  [new HoldfastError('INTERNAL', 'a secret'), 500, 'Internal server error'],
])('%s has its page', (error, status, title) => {
  const page = problemPage(error, status);
  expect([page.status, page.title]).toEqual([status, title]);
  expect(textOf(page)).not.toMatch(/<odd>|secret|<form/);
});
