import { useState } from 'preact/hooks';
import { client, type Schemas, toProblem } from '../api/client';
import { useRead } from '../api/ask';
import { Actions } from './actions';
import { JsonField, parseJson } from './json-field';
import { JsonTree } from './json-tree';
import { mistakesOf, type Schema } from './schema';

type Approval = Schemas['Approval'];

const LABELS: Readonly<Record<Approval['kind'], string>> = {
  tool: 'Arguments',
  step: 'Arguments',
  budget: 'New limits',
  output: 'Output',
};
/** Where an answer has what was edited. */
const FIELDS = { tool: 'args', step: 'args', budget: 'budget', output: 'output' } as const;

const asText = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Answers an approval, once. */
export function AnswerForm({ approval, onAnswer }: { approval: Approval; onAnswer: () => void }) {
  const { id, kind, toolName } = approval;
  const isBudget = kind === 'budget';
  const isOutput = kind === 'output';
  const offered = isBudget ? (approval.args as { limits?: unknown } | undefined)?.limits : approval.args;
  const [first] = useState(() => (isOutput ? '{}' : asText(offered)));
  const [text, setText] = useState(first);
  const [comment, setComment] = useState('');
  const [by, setBy] = useState('');
  const [isAnswered, noteAnswer] = useState(false);
  const { data: tools } = useRead('/api/tools', {});
  const schema = tools?.find(({ name }) => name === toolName)?.inputSchema as Schema | undefined;
  const check = (value: unknown): readonly string[] => mistakesOf(value, schema ?? { type: 'object' });
  const { value, problem: notJson } = parseJson(text);
  // A note stands in the place of long arguments, which cannot be changed here.
  const isEditable = isOutput || (typeof offered === 'object' && offered !== null);
  const isFree = isBudget || isOutput;
  const isChanged = isEditable && text !== first;
  // A budget has to be raised, and an output to be written.
  const isValid = !isEditable || (notJson === undefined && (isFree ? isChanged : check(value).length === 0));
  const answer = async (decision: 'approve' | 'deny'): Promise<void> => {
    const words = { comment: comment.trim() || undefined, by: by.trim() || undefined };
    const edited = decision === 'approve' && isChanged && { [FIELDS[kind]]: value };
    await client.value.approvals.answer(id, { decision, ...words, ...edited }).catch((error: unknown) => {
      // The record says who was first.
      if (!/^APPROVAL_(ANSWERED|EXPIRED)$/.test(toProblem(error).code ?? '')) throw error;
    });
    noteAnswer(true);
    onAnswer();
  };
  const approving = isOutput ? 'Send the output' : isChanged ? 'Approve with these changes' : 'Approve';
  const fields = [['Comment', comment, setComment] as const, ['Your name', by, setBy] as const];
  return (
    <form class="answer" aria-label="Answer" onSubmit={(event) => event.preventDefault()}>
      {isFree && <JsonTree value={approval.args} />}
      {isEditable ? (
        <JsonField label={LABELS[kind]} text={text} onText={setText} check={isFree ? undefined : check} />
      ) : (
        <JsonTree value={approval.args} />
      )}
      <div class="two">
        {fields.map(([label, written, write]) => (
          <label key={label}>
            {label}
            <input value={written} onInput={({ currentTarget }) => write(currentTarget.value)} />
          </label>
        ))}
      </div>
      <Actions
        actions={[
          {
            name: approving,
            scope: 'run',
            isMain: true,
            isOff: isAnswered || !isValid,
            act: () => answer('approve'),
          },
          { name: 'Deny', scope: 'run', isOff: isAnswered, act: () => answer('deny') },
        ]}
      />
    </form>
  );
}
