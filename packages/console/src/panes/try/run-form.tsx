import { useState } from 'preact/hooks';
import { client } from '../../api/client';
import { Copy } from '../../parts/copy';
import { curlLine } from '../../parts/curl';
import { fieldsOf, readFields, type Schema, type Written } from '../../parts/schema';
import { needsKey } from '../../session';
import { FormFields } from './form-fields';
import { Outcome, type StartedRun } from './outcome';

/** The operations that forms start. Their bodies are made by forms, and checked by the service. */
export type RunPath = '/api/tools/execute' | '/api/workflow/execute-custom' | '/api/agent/execute';

interface RunFormProps {
  readonly label: string;
  /** What is to be written. */
  readonly schema: Schema;
  readonly path: RunPath;
  /** The request for what was written. */
  readonly toBody: (written: ReturnType<typeof readFields>['value']) => object;
  readonly started: StartedRun;
  readonly isOff?: boolean;
}

/** A form made from a schema, which starts a run, and what came of the run. */
export function RunForm({ label, schema, path, toBody, started, isOff = false }: RunFormProps) {
  const fields = fieldsOf(schema);
  const [written, setWritten] = useState<Written>({});
  const [isTried, setTried] = useState(false);
  const { value, mistakes } = readFields(fields, written);
  const run = (): void => {
    setTried(true);
    if (Object.keys(mistakes).length > 0 || started.isRunning) return;
    // The run is read by its record, so that a run that fails is no request that fails.
    const init = { params: { header: { Prefer: 'respond-async' } }, body: toBody(value) as never };
    started.start(client.value.POST(path as '/api/tools/execute', init));
  };
  return (
    <>
      <form
        class="answer"
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <FormFields
          fields={fields}
          written={written}
          mistakes={isTried ? mistakes : {}}
          onWrite={(at, text) => setWritten((before) => ({ ...before, [at]: text }))}
        />
        <div class="actions">
          <button type="submit" class="main" disabled={isOff || started.isRunning}>
            {started.isRunning ? 'Running' : 'Run'}
          </button>
          <Copy
            label="Copy as curl"
            text={() => curlLine({ method: 'POST', path, body: toBody(value) }, location.origin, needsKey)}
          />
        </div>
      </form>
      <Outcome started={started} />
    </>
  );
}
