import { may, needsKey } from '../../session';
import { useRead } from '../../api/ask';
import { client } from '../../api/client';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { Detail } from '../../parts/detail';
import { Problem } from '../../parts/problem';
import type { Schema } from '../../parts/schema';
import { SchemaForm } from '../../parts/schema-form';
import { Outcome, type StartedRun, useStarted } from './outcome';

/** The operations that forms start. Their bodies are made by forms, and checked by the service. */
export type RunPath = '/api/tools/execute' | '/api/workflow/execute-custom' | '/api/agent/execute';

interface RunFormProps {
  readonly label: string;
  /** What is to be written. */
  readonly schema: Schema;
  readonly path: RunPath;
  /** The request for what was written. */
  readonly toBody: (written: Readonly<Record<string, unknown>>) => object;
  readonly started: StartedRun;
  readonly isOff?: boolean;
}

/** A form made from a schema, which starts a run, and what came of the run. */
export function RunForm({ label, schema, path, toBody, started, isOff = false }: RunFormProps) {
  return (
    <>
      <SchemaForm
        label={label}
        schema={schema}
        submit={started.isRunning ? 'Running' : 'Run'}
        isOff={isOff || started.isRunning || !may('run')}
        onSubmit={(written) => {
          // The run is read by its record, so that a run that fails is no request that fails.
          const init = { params: { header: { Prefer: 'respond-async' } }, body: toBody(written) as never };
          return started.start(client.value.POST(path as '/api/tools/execute', init));
        }}
        extra={(written) => (
          <Copy
            label="Copy as curl"
            text={() => curlLine({ method: 'POST', path, body: toBody(written) }, location.origin, needsKey)}
          />
        )}
      />
      <Outcome started={started} />
    </>
  );
}

/** Runs a tool with what a person writes. */
export function ToolForm({ name }: { name: string }) {
  const { data, problem } = useRead('/api/tools', {});
  const started = useStarted();
  const tool = data?.find((each) => each.name === name);
  if (tool === undefined) return <Problem problem={problem} />;
  return (
    <Detail title={name} about={tool.description}>
      <RunForm
        label={`Arguments of ${name}`}
        schema={tool.inputSchema}
        path="/api/tools/execute"
        toBody={(args) => ({ toolName: name, args })}
        started={started}
      />
    </Detail>
  );
}
