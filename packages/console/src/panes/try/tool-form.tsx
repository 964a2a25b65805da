import { useMemo, useState } from 'preact/hooks';
import { hrefOf } from '../../address';
import { type ApiProblem, client, dataOf, type Schemas, toProblem } from '../../api/client';
import type { Tool } from '../../api/tools';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { formatDuration } from '../../parts/format';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { fieldsOf, readFields, type Schema, type Written } from '../../parts/schema';
import { StatusSign } from '../../parts/status-sign';
import { needsKey } from '../../session';
import { FormFields } from '../../parts/form-fields';

type Run = Schemas['Run'];

/** How often the record of a run is asked for that this page has started, milliseconds. */
const ASK_MS = 700;

/** Runs a tool with what a person writes, and shows what came of it. */
export function ToolForm({ tool }: { tool: Tool }) {
  const fields = useMemo(() => fieldsOf(tool.inputSchema as Schema), [tool]);
  const [written, setWritten] = useState<Written>({});
  const [isTried, setTried] = useState(false);
  const [traceId, setTraceId] = useState<string>();
  const [run, setRun] = useState<Run>();
  const [problem, setProblem] = useState<ApiProblem>();
  const { value: args, mistakes } = readFields(fields, written);
  const isRunning = traceId !== undefined && run === undefined && problem === undefined;
  const start = async (): Promise<void> => {
    setTraceId(undefined);
    setRun(undefined);
    setProblem(undefined);
    // The run is read by its record, so that a tool that fails is no request that fails.
    const started = await dataOf(
      client.value.POST('/api/tools/execute', {
        params: { header: { Prefer: 'respond-async' } },
        body: { toolName: tool.name, args },
      }),
    );
    if (!('traceId' in started)) throw new Error('The service has not named the run.');
    setTraceId(started.traceId);
    setRun(await endOf(started.traceId));
  };
  return (
    <article class="run">
      <div class="head">
        <h2>{tool.name}</h2>
        <p class="quiet">{tool.description}</p>
      </div>
      <form
        class="answer"
        aria-label={`Arguments of ${tool.name}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.keys(mistakes).length > 0 || isRunning) return;
          start().catch((error: unknown) => setProblem(toProblem(error)));
        }}
      >
        <FormFields
          fields={fields}
          written={written}
          mistakes={isTried ? mistakes : {}}
          onWrite={(path, text) => setWritten((before) => ({ ...before, [path]: text }))}
        />
        <div class="actions">
          <button type="submit" class="main" disabled={isRunning}>
            {isRunning ? 'Running' : 'Run'}
          </button>
          <Copy
            label="Copy as curl"
            text={() =>
              curlLine(
                { method: 'POST', path: '/api/tools/execute', body: { toolName: tool.name, args } },
                location.origin,
                needsKey,
              )
            }
          />
        </div>
      </form>
      <div aria-live="polite">
        <Problem problem={problem} />
        {traceId !== undefined && <Outcome traceId={traceId} run={run} />}
      </div>
    </article>
  );
}

/** Waits until a run has ended, or waits for a person. */
async function endOf(traceId: string): Promise<Run> {
  for (;;) {
    const run = await dataOf(client.value.GET('/api/runs/{traceId}', { params: { path: { traceId } } }));
    if (run.closedAt !== null || run.status === 'waiting') return run;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

function Outcome({ traceId, run }: { traceId: string; run: Run | undefined }) {
  const result = (run?.result as { result?: unknown } | undefined)?.result;
  return (
    <section class="outcome" aria-label="Outcome">
      <p>
        <StatusSign status={run?.status ?? 'running'} />{' '}
        {run?.closedAt != null && (
          <span class="quiet">{formatDuration(Date.parse(run.closedAt) - Date.parse(run.startedAt))} · </span>
        )}
        <a href={hrefOf('runs', { run: traceId })}>its run</a>
      </p>
      {run?.error !== undefined && <Problem problem={{ details: undefined, ...run.error }} />}
      {result !== undefined && <JsonTree value={result} />}
    </section>
  );
}
