import { useState } from 'preact/hooks';
import { go } from '../../address';
import { useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { useSend } from '../../api/send';
import { JsonField, parseJson } from '../../parts/json-field';
import { Problem } from '../../parts/problem';
import type { Run } from '../../api/step';
import { definedSteps } from './timeline';

/** The types whose runs can begin at a step. */
const HAS_STEPS = new Set([
  'customWorkflow',
  'executeToolsInSequence',
  'executeToolsInParallel',
  'mcpExecution',
  'queryWorkflow',
]);
/** Those whose steps can be given another configuration. */
const HAS_CONFIG = new Set(['customWorkflow', 'executeToolsInSequence', 'executeToolsInParallel']);

/** Runs a run again, from a step on and with other input if there is a use for it. */
export function RerunForm({ run, fromStep }: { run: Run; fromStep: string | undefined }) {
  const step = HAS_STEPS.has(run.type) ? fromStep?.replace(/\[\d+\]$/, '') : undefined;
  const inputs = (run.input as { inputs?: unknown } | undefined)?.inputs;
  const firstInputs = inputs === undefined ? '' : JSON.stringify(inputs, undefined, 2);
  const [inputsText, setInputsText] = useState(firstInputs);
  const [configText, setConfigText] = useState<string>();
  const { isSending, problem, send } = useSend();
  const config = useConfig(run, HAS_CONFIG.has(run.type) ? step : undefined);
  const steps = (run.steps ?? []).filter(({ id }) => !id.includes('['));
  const shownConfig = configText ?? config ?? '';
  const isValid = [inputsText, shownConfig].every(
    (text) => text === '' || parseJson(text).problem === undefined,
  );
  const start = (): void => {
    const body = {
      ...(step === undefined ? {} : { fromStep: step }),
      // Steps that depend on inputs that are given run again.
      ...(inputsText === firstInputs
        ? {}
        : { inputs: parseJson(inputsText).value as Record<string, unknown> }),
      ...(step === undefined || configText === undefined
        ? {}
        : { overrides: { [step]: { config: parseJson(configText).value as Record<string, unknown> } } }),
    };
    const params = { path: { traceId: run.traceId } };
    send(async () => {
      const { traceId } = await dataOf(client.value.POST('/api/runs/{traceId}/rerun', { params, body }));
      go({ run: traceId, step: undefined, rerun: undefined });
    });
  };
  return (
    <form
      class="rerun"
      aria-label="Run again"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <h3>Run again</h3>
      {HAS_STEPS.has(run.type) && (
        <label>
          From
          <select
            value={step ?? ''}
            onChange={({ currentTarget: { value } }) => {
              setConfigText(undefined);
              go({ rerun: value === '' ? 'all' : value }, { replace: true });
            }}
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
      {inputs !== undefined && <JsonField label="Inputs" text={inputsText} onText={setInputsText} />}
      {config !== undefined && (
        <JsonField label={`Configuration of ${step ?? ''}`} text={shownConfig} onText={setConfigText} />
      )}
      <Problem problem={problem} />
      <div class="actions">
        <button type="submit" class="main" disabled={isSending || !isValid}>
          Run again
        </button>
        <button type="button" onClick={() => go({ rerun: undefined })}>
          Not now
        </button>
      </div>
    </form>
  );
}

/** The configuration of a step as its run had it, as JSON: that of the definition, or the call. */
function useConfig(run: Run, step: string | undefined): string | undefined {
  const defined = definedSteps(run).find(({ id }) => id === step) as { config?: unknown } | undefined;
  const calls = (run.input as { tools?: readonly unknown[] } | undefined)?.tools;
  const config = step === undefined ? undefined : (defined?.config ?? calls?.[Number(step) - 1]);
  // A long input is a note in the record, and whole at an address of its own.
  const isLong = step !== undefined && config === undefined;
  const { data } = useAsked(isLong ? `input ${run.traceId}` : undefined, (signal) =>
    dataOf(
      client.value.GET('/api/runs/{traceId}/input', { params: { path: { traceId: run.traceId } }, signal }),
    ),
  );
  if (config !== undefined) return JSON.stringify(config, undefined, 2);
  if (data === undefined || step === undefined) return undefined;
  const whole = { ...run, input: data };
  const definition = definedSteps(whole).find(({ id }) => id === step) as { config?: unknown } | undefined;
  return definition === undefined ? undefined : JSON.stringify(definition.config, undefined, 2);
}
