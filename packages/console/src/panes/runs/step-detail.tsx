import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../../address';
import { useRead } from '../../api/ask';
import type { ReadData } from '../../api/client';
import { Part, Figures } from '../../parts/detail';
import { formatDuration, formatMoney, formatNumber } from '../../parts/format';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { may } from '../../session';
import type { LiveStep, Run } from '../../api/step';

interface StepPath {
  readonly traceId: string;
  readonly stepId: string;
}

const STEP = '/api/runs/{traceId}/steps/{stepId}';

/** A step that is open: its error first, then what it received and returned. */
export function StepDetail({ run, step }: { run: Run; step: LiveStep }) {
  const path = { traceId: run.traceId, stepId: step.id };
  const { data, problem } = useRead(STEP, { path }, { version: `${step.status} ${step.attempts}` });
  const outputPath = run.type === 'customWorkflow' ? `${step.id.replace(/\[\d+\]$/, '')}.result` : undefined;
  return (
    <div class="step-detail">
      <Failures step={step} />
      {step.status === 'failed' && run.closedAt !== null && <WhatNow run={run} step={step} />}
      <StepFigures step={step} summary={data?.summary} />
      <Problem problem={problem} />
      {data !== undefined && (
        <div class="values">
          <End path={path} end="input" data={data}>
            <p class="quiet">{data.inputNote ?? 'none'}</p>
          </End>
          <End path={path} end="output" data={data} valuePath={outputPath}>
            {step.text === undefined ? (
              <p class="quiet">{data.endedAt === undefined ? 'not yet' : 'none'}</p>
            ) : (
              <pre class="said">{step.text}</pre>
            )}
          </End>
        </div>
      )}
      {data?.logs !== undefined && (
        <Part title="Log">
          <Value value={data.logs} />
        </Part>
      )}
    </div>
  );
}

function Failures({ step: { failures = [], error, attempts } }: { step: LiveStep }) {
  const all = [...failures, ...(error === undefined ? [] : [{ attempt: attempts, error }])];
  if (all.length === 0) return null;
  return (
    <ul class="failures">
      {all.map(({ attempt, error: { code, message, details } }) => (
        <li key={attempt}>
          <Problem
            problem={{ code, message: `${message}${attempts > 1 ? ` (attempt ${attempt})` : ''}`, details }}
          />
        </li>
      ))}
    </ul>
  );
}

function WhatNow({ run, step }: { run: Run; step: LiveStep }) {
  if (run.type === 'executeTool' || !may('run')) return null;
  return (
    <p class="what-now">
      <button type="button" onClick={() => go({ rerun: step.id })}>
        Run again from here, with other input …
      </button>
    </p>
  );
}

function StepFigures({ step, summary }: { step: LiveStep; summary: string | undefined }) {
  const { kind, attempts, scheduledAt, endedAt, executionTime, tokens, costUsd } = step;
  const took = endedAt && formatDuration(Date.parse(endedAt) - Date.parse(scheduledAt));
  return (
    <Figures
      figures={[
        ['kind', kind],
        ['attempts', attempts],
        ['took', took],
        ['of that the tool', executionTime === undefined ? undefined : formatDuration(executionTime)],
        [
          'tokens',
          tokens && `${formatNumber(tokens.promptTokens)} + ${formatNumber(tokens.completionTokens)}`,
        ],
        ['price', costUsd == null ? undefined : formatMoney(costUsd)],
        ['scheduled', <Time at={scheduledAt} />],
        ['summary', summary],
      ]}
    />
  );
}

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** What a step received. The messages to a model are shown as texts. */
function Value({ value, path }: { value: unknown; path?: string | undefined }) {
  const messages = (value as { messages?: readonly Message[] } | null)?.messages;
  if (!Array.isArray(messages)) return <JsonTree value={value} path={path} />;
  return (
    <ol class="messages">
      {(messages as readonly Message[]).map(({ role, content }, at) => (
        <li key={at}>
          <span class="quiet">{String(role)}</span>
          {typeof content === 'string' ? <pre tabIndex={0}>{content}</pre> : <JsonTree value={content} />}
        </li>
      ))}
    </ol>
  );
}

interface EndProps {
  readonly path: StepPath;
  readonly end: 'input' | 'output';
  readonly data: ReadData<typeof STEP>;
  /** As in `JsonTree`. */
  readonly valuePath?: string | undefined;
  /** What is shown without a value. */
  readonly children: ComponentChildren;
}

/** What a step received or returned. A note stands in the place of a long value, which a click fetches. */
function End({ path, end, data, valuePath, children }: EndProps) {
  const [isWanted, want] = useState(false);
  const { data: whole, problem, again } = useRead(`${STEP}/${end}`, isWanted ? { path } : undefined);
  const value = whole ?? data[end];
  return (
    <Part title={end === 'input' ? 'Input' : 'Output'}>
      {value === undefined ? children : <Value value={value} path={valuePath} />}
      <Problem problem={problem} />
      {data.links?.[end] !== undefined && whole === undefined && (
        <button type="button" onClick={() => (want(true), again())}>
          Show all of it
        </button>
      )}
    </Part>
  );
}
