import { useState } from 'preact/hooks';
import { type ApiProblem, client, type Schemas, toProblem } from '../api/client';
import { useTools } from '../api/tools';
import { JsonField, parseJson } from './json-field';
import { JsonTree } from './json-tree';
import { Problem } from './problem';
import { mistakesOf, type Schema } from './schema';

type Approval = Schemas['Approval'];
type Decision = 'approve' | 'deny';

const LABELS: Readonly<Record<Approval['kind'], string>> = {
  tool: 'Arguments',
  step: 'Arguments',
  budget: 'New limits',
  output: 'Output',
};
/** Where an answer has what was edited. */
const FIELDS = { tool: 'args', step: 'args', budget: 'budget', output: 'output' } as const;

const asText = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Answers an approval, once: the buttons are off after the first click. */
export function AnswerForm({ approval, onAnswer }: { approval: Approval; onAnswer: () => void }) {
  const { id, kind, toolName } = approval;
  const isBudget = kind === 'budget';
  const isOutput = kind === 'output';
  const offered = isBudget ? (approval.args as { limits?: unknown } | undefined)?.limits : approval.args;
  const [first] = useState(() => (isOutput ? '{}' : asText(offered)));
  const [text, setText] = useState(first);
  const [comment, setComment] = useState('');
  const [by, setBy] = useState('');
  const [sent, setSent] = useState<Decision>();
  const [problem, setProblem] = useState<ApiProblem>();
  const { data: tools } = useTools();
  const schema = tools?.find(({ name }) => name === toolName)?.inputSchema as Schema | undefined;
  const check = (value: unknown): readonly string[] => mistakesOf(value, schema ?? { type: 'object' });
  const { value, problem: notJson } = parseJson(text);
  // A note stands in the place of long arguments, which cannot be changed here.
  const isEditable = isOutput || (typeof offered === 'object' && offered !== null);
  const isFree = isBudget || isOutput;
  const isChanged = isEditable && text !== first;
  // A budget has to be raised, and an output to be written.
  const isValid = !isEditable || (notJson === undefined && (isFree ? isChanged : check(value).length === 0));
  const answer = (decision: Decision): void => {
    setSent(decision);
    setProblem(undefined);
    client.value.approvals
      .answer(id, {
        decision,
        comment: comment.trim() === '' ? undefined : comment.trim(),
        by: by.trim() === '' ? undefined : by.trim(),
        ...(decision === 'approve' && isChanged && { [FIELDS[kind]]: value }),
      })
      .then(onAnswer, (error: unknown) => {
        const failure = toProblem(error);
        // The record says who was first.
        if (failure.code === 'APPROVAL_ANSWERED' || failure.code === 'APPROVAL_EXPIRED') return onAnswer();
        setSent(undefined);
        setProblem(failure);
        return undefined;
      });
  };
  return (
    <form class="answer" aria-label="Answer" onSubmit={(event) => event.preventDefault()}>
      {isFree && <JsonTree value={approval.args} />}
      {isEditable ? (
        <JsonField
          label={LABELS[kind]}
          text={text}
          onText={setText}
          check={isFree ? undefined : check}
          disabled={sent !== undefined}
        />
      ) : (
        <JsonTree value={approval.args} />
      )}
      <div class="two">
        <label>
          Comment
          <input
            value={comment}
            disabled={sent !== undefined}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </label>
        <label>
          Your name
          <input
            value={by}
            disabled={sent !== undefined}
            onInput={({ currentTarget }) => setBy(currentTarget.value)}
          />
        </label>
      </div>
      <Problem problem={problem} />
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={sent !== undefined || !isValid}
          onClick={() => answer('approve')}
        >
          {sent === 'approve'
            ? 'Approving'
            : isOutput
              ? 'Send the output'
              : isEditable && text !== first
                ? 'Approve with these changes'
                : 'Approve'}
        </button>
        <button type="button" disabled={sent !== undefined} onClick={() => answer('deny')}>
          {sent === 'deny' ? 'Denying' : 'Deny'}
        </button>
      </div>
    </form>
  );
}
