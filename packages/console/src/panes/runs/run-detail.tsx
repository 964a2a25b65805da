import { useEffect } from 'preact/hooks';
import { go, hrefOf, hrefWith, place } from '../../address';
import { may, needsKey } from '../../session';
import { send, temporalUi } from '../../api/client';
import { useRun } from '../../api/follow-run';
import type { LiveStep, Run } from '../../api/step';
import { type Action, Actions } from '../../parts/actions';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { Detail, Part, type Figure, Figures } from '../../parts/detail';
import { formatMoney, formatNumber, formatTook } from '../../parts/format';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { now, Time } from '../../parts/time';
import { clientCode, requestOfRun } from './request-of-run';
import { RerunForm } from './rerun-form';
import { nameOfRun, typeInWords } from './run-name';
import { StepDetail } from './step-detail';
import { Timeline } from './timeline-view';

/** A run that is open at the right. */
export function RunDetail({ traceId }: { traceId: string }) {
  const { run, steps, problem, again } = useRun(traceId);
  const failed = steps.find(({ status }) => status === 'failed')?.id;
  const { step, rerun } = place.value.params;
  useEffect(() => {
    // A failed step is what a reader came for.
    if (run !== undefined && failed !== undefined && step === undefined)
      go({ step: failed }, { replace: true });
    // Only when the run is opened, so that the step can be closed.
  }, [run === undefined]);
  if (run === undefined) return <Problem problem={problem} />;
  return (
    <Detail
      title={nameOfRun(run) ?? typeInWords(run.type)}
      status={run.status}
      about={<Facts run={run} steps={steps} />}
      problem={problem}
    >
      <RunActions run={run} onChange={again} />
      {rerun !== undefined && may('run') && (
        <RerunForm run={run} fromStep={rerun === 'all' ? undefined : rerun} />
      )}
      <Problem problem={run.error && { ...run.error, ...shortened(run.error) }} open={0} />
      <Waiting run={run} />
      <Timeline run={run} steps={steps} openStep={(each) => <StepDetail run={run} step={each} />} />
      <div class="values">
        <Part title="Input" label="Input of the run">
          <JsonTree value={run.input} open={2} />
        </Part>
        <Part title="Result" label="Result of the run">
          {run.result === undefined ? <p class="quiet">none</p> : <JsonTree value={run.result} open={2} />}
        </Part>
      </div>
      <Related run={run} />
    </Detail>
  );
}

/** The steps have what the details of the error of a workflow repeat. */
function shortened({ details }: NonNullable<Run['error']>): { details?: unknown } {
  if (typeof details !== 'object' || details === null) return {};
  const { completed: _, ...rest } = details as Record<string, unknown>;
  return { details: rest };
}

function Facts({ run, steps }: { run: Run; steps: readonly LiveStep[] }) {
  const sumOfSteps = steps.reduce((sum, { tokens }) => sum + (tokens?.totalTokens ?? 0), 0);
  const { totalTokens = sumOfSteps, costUsd } = run.usage ?? {};
  const facts = [
    formatTook(run, now.value),
    totalTokens > 0 ? `${formatNumber(totalTokens)} tokens` : undefined,
    costUsd == null || costUsd === 0 ? undefined : formatMoney(costUsd),
  ];
  return (
    <>
      {facts.filter((fact) => fact !== undefined).join(' · ')} · <Time at={run.startedAt} /> · {run.type}
    </>
  );
}

function Waiting({ run }: { run: Run }) {
  const open = (run.approvals ?? []).filter(({ status }) => status === 'pending');
  if (open.length === 0) return null;
  return (
    <ul class="open-approvals">
      {open.map(({ id, step, message, toolName }) => (
        <li key={id}>
          <StatusSign status="waiting" /> <b>{step}</b> {message ?? toolName}{' '}
          <a class="button" href={hrefOf('waiting', { approval: id })}>
            Answer
          </a>
        </li>
      ))}
    </ul>
  );
}

function Related({ run: { rerunOf, reruns = [], traceId, workflowId } }: { run: Run }) {
  const linkTo = (id: string) => <a href={hrefWith({ run: id, step: undefined })}>{id}</a>;
  return (
    <Figures
      figures={[
        ['trace id', <code>{traceId}</code>],
        ['workflow id', <code>{workflowId}</code>],
        ['runs again', rerunOf && linkTo(rerunOf.traceId)],
        ...reruns.map((each): Figure => [
          'run again',
          <>
            {linkTo(each.traceId)} <StatusSign status={each.status} />
          </>,
        ]),
        [
          'Temporal',
          temporalUi.value && (
            <a
              href={`${temporalUi.value}/workflows/${encodeURIComponent(workflowId)}/${traceId}/history`}
              target="_blank"
              rel="noreferrer"
            >
              open in the Temporal UI
            </a>
          ),
        ],
      ]}
    />
  );
}

/** What can be done with a run. A run that is terminated leaves its steps where they are. */
export function RunActions({ run, onChange }: { run: Run; onChange: () => void }) {
  const stop = (how: 'cancel' | 'terminate', body: object = {}): Promise<unknown> =>
    send('POST', `/api/runs/{traceId}/${how}`, { traceId: run.traceId }, body);
  const actions: readonly Action[] =
    run.closedAt === null
      ? [
          { name: 'Cancel', scope: 'run', act: () => stop('cancel') },
          {
            name: 'Terminate',
            scope: 'admin',
            isFinal: true,
            act: () => stop('terminate', { reason: 'asked for in the console' }),
          },
        ]
      : [{ name: 'Run again …', scope: 'run', act: () => Promise.resolve(go({ rerun: 'all' })) }];
  const startRequest = requestOfRun(run);
  return (
    <>
      <Actions actions={actions} onDone={onChange} />
      <div class="actions">
        <Copy label="Copy as curl" text={() => curlLine(startRequest, location.origin, needsKey)} />
        <Copy label="Copy as client code" text={() => clientCode(startRequest, location.origin, needsKey)} />
      </div>
    </>
  );
}
