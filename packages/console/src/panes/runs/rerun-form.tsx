import { useState } from 'preact/hooks';
import { go, useGo } from '../../address';
import { useRead } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import type { Run } from '../../api/step';
import { Actions } from '../../parts/actions';
import { JsonField, parseJson } from '../../parts/json-field';
import { Problem } from '../../parts/problem';
import { definedSteps } from './timeline';

/** The types whose steps can be given another configuration. */
const HAS_CONFIG = ['customWorkflow', 'executeToolsInSequence', 'executeToolsInParallel'];
/** Those whose runs can begin at a step. */
const HAS_STEPS = [...HAS_CONFIG, 'mcpExecution', 'queryWorkflow'];

interface RerunFormProps {
  readonly run: Run;
  readonly fromStep: string | undefined;
}

/** Runs a run again, from a step on and with other input if there is a use for it. */
export function RerunForm({ run, fromStep }: RerunFormProps) {
  // The record has a note in the place of a long input.
  const { data, problem } = useRead('/api/runs/{traceId}/input', { path: { traceId: run.traceId } });
  const step = HAS_STEPS.includes(run.type) ? fromStep?.replace(/\[\d+\]$/, '') : undefined;
  if (data === undefined) return <Problem problem={problem} />;
  return <Form run={{ ...run, input: data }} fromStep={step} />;
}

const asText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, undefined, 2));
const isJson = (text: string): boolean => text === '' || parseJson(text).problem === undefined;

function Form({ run, fromStep }: RerunFormProps) {
  const firstInputs = asText((run.input as { inputs?: unknown } | null)?.inputs);
  const firstConfig = asText(HAS_CONFIG.includes(run.type) ? configOf(run, fromStep) : undefined);
  const [inputs, setInputs] = useState(firstInputs);
  const [configs, setConfigs] = useState<Readonly<Record<string, string>>>({});
  const config = configs[fromStep ?? ''] ?? firstConfig;
  const goLater = useGo();
  const steps = (run.steps ?? []).filter(({ id }) => !id.includes('['));
  const start = async (): Promise<void> => {
    const valueOf = (text: string) => parseJson(text).value as Record<string, unknown>;
    const body = {
      fromStep,
      // Steps that depend on inputs that are given run again.
      inputs: inputs === firstInputs ? undefined : valueOf(inputs),
      overrides:
        fromStep === undefined || config === firstConfig
          ? undefined
          : { [fromStep]: { config: valueOf(config) } },
    };
    const params = { path: { traceId: run.traceId } };
    const { traceId } = await dataOf(client.value.POST('/api/runs/{traceId}/rerun', { params, body }));
    goLater({ run: traceId, step: undefined, rerun: undefined });
  };
  return (
    <form class="rerun" aria-label="Run again" onSubmit={(event) => event.preventDefault()}>
      <h3>Run again</h3>
      {HAS_STEPS.includes(run.type) && (
        <label>
          From
          <select
            value={fromStep ?? ''}
            onChange={({ currentTarget: { value } }) => go({ rerun: value || 'all' }, { replace: true })}
          >
            <option value="">the first step</option>
            {steps.map(({ id, name }) => (
              <option key={id} value={id}>
                {id} ({name})
              </option>
            ))}
          </select>
        </label>
      )}
      {firstInputs !== '' && <JsonField label="Inputs" text={inputs} onText={setInputs} />}
      {firstConfig !== '' && (
        <JsonField
          label={`Configuration of ${fromStep}`}
          text={config}
          onText={(text) => setConfigs({ ...configs, [fromStep ?? '']: text })}
        />
      )}
      <Actions
        actions={[
          { name: 'Run again', isMain: true, isOff: !isJson(inputs) || !isJson(config), act: start },
          { name: 'Not now', act: () => Promise.resolve(go({ rerun: undefined })) },
        ]}
      />
    </form>
  );
}

/** The configuration of a step as its run had it: that of the definition, or the call. */
function configOf(run: Run, step: string | undefined): unknown {
  const defined = definedSteps(run).find(({ id }) => id === step) as { config?: unknown } | undefined;
  const calls = (run.input as { tools?: readonly unknown[] } | null)?.tools;
  return step === undefined ? undefined : (defined?.config ?? calls?.[Number(step) - 1]);
}
