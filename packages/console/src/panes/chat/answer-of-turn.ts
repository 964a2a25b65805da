import type { Schemas } from '../../api/client';
import type { LiveStep, Run } from '../../api/step';
import { formatMoney, formatNumber, formatTook } from '../../parts/format';

type Texts = Readonly<Partial<Record<'query' | 'message' | 'response', string>>>;
type Answer = Partial<Schemas['AgentAnswer']> & { readonly sources?: readonly string[] };

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/**
 * Reads a turn from its run. In memory chat the query and the response are named `message`, and there are no tools. Pure.
 * @returns the text also while it is said, and what the turn used in words; the answer is empty before the end
 */
export function readTurn(run: Run, steps: readonly LiveStep[]) {
  // A note stands in the place of a long input.
  const input = (typeof run.input === 'string' ? { query: run.input } : (run.input ?? {})) as Texts;
  const result = (run.result ?? {}) as Texts;
  const answer = result as Answer;
  const { intent, metadata, toolResults, usage } = answer;
  const { sources, degraded = [] }: Pick<Answer, 'sources' | 'degraded'> = { ...answer, ...metadata };
  const tokens = run.usage?.totalTokens ?? 0;
  const price = usage?.costUsd ?? run.usage?.costUsd ?? 0;
  const figures = [
    metadata?.agent?.id,
    intent?.type.replaceAll('_', ' '),
    sources && counted(sources.length, 'memory', 'memories'),
    toolResults && counted(toolResults.length, 'tool', 'tools'),
    tokens > 0 && `${formatNumber(tokens)} tokens`,
    run.closedAt !== null && formatTook(run),
    price > 0 && formatMoney(price),
    degraded.length > 0 && 'degraded',
  ].filter((each) => typeof each === 'string');
  const saidText = [...steps].reverse().find(({ text }) => text)?.text;
  return {
    query: input.query ?? input.message,
    text: result.response ?? result.message ?? saidText,
    ...{ answer, sources, degraded, figures },
  };
}
