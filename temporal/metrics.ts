import type { MetricGauge, MetricMeter } from '@temporalio/common';
import { SERVICE_FAULTS, STORES, type Metrics } from '../src/base/metrics';

/** Bounds of the buckets, from 1 ms to the longest time that a request or a call may take by default, seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const HISTOGRAMS = {
  request: 'holdfast_http_request_duration',
  wait: 'holdfast_run_wait_duration',
  tool: 'holdfast_tool_attempt_duration',
  model: 'holdfast_model_call_duration',
  heldUp: 'holdfast_event_loop_held_up',
} as const;

/**
 * The metric of workflow tasks gets the same buckets, because a long task blocks the thread that all runs of a worker
 * share, and the SDK's own buckets end at 1 s.
 */
const WORKFLOW_TASK = 'workflow_task_execution_latency';

/** Bounds of the buckets by histogram, in the form of the SDK's options. */
export const HISTOGRAM_BUCKETS: Record<string, number[]> = Object.fromEntries(
  [...Object.values(HISTOGRAMS), WORKFLOW_TASK].map((name) => [name, BUCKETS]),
);

/** Creates the service's own metrics on the SDK's meter, so that one endpoint exposes both. */
export function createMetrics(meter: MetricMeter): Metrics {
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, 'float', 'seconds', description);
  const request = histogram(HISTOGRAMS.request, 'Time of HTTP requests until their answer is sent');
  const wait = histogram(HISTOGRAMS.wait, 'How long requests waited for their run');
  const tool = histogram(HISTOGRAMS.tool, 'Attempts at tool calls');
  const model = histogram(HISTOGRAMS.model, 'Calls of model providers, retries and repairs included');
  const heldUp = histogram(HISTOGRAMS.heldUp, 'How long the event loop was blocked in each sample');
  const tokens = meter.createCounter('holdfast_model_tokens', '', 'Tokens used at model providers');
  const replaced = meter.createCounter(
    'holdfast_model_replaced',
    '',
    'Steps of turns that were made without their model',
  );
  const facts = meter.createCounter('holdfast_model_facts', '', 'Facts that a model drew from memories');
  const failures = meter.createCounter(
    'holdfast_store_failures',
    '',
    'Operations whose store was away or busy',
  );
  const faults = meter.createCounter(
    'holdfast_http_faults',
    '',
    'Requests answered with an error of the service',
  );
  const createCounter = (name: string, description: string): (() => void) => {
    const counter = meter.createCounter(name, '', description);
    counter.add(0);
    return () => counter.add(1);
  };
  const gauge = (name: string, description: string): MetricGauge =>
    meter.createGauge(name, 'float', '', description);
  const beginRequest = createInProgressGauge(
    gauge('holdfast_http_requests_in_progress', 'HTTP requests without an answer yet'),
  );
  const beginWait = createInProgressGauge(
    gauge('holdfast_requests_waiting_for_run', 'Requests that wait for their run'),
  );
  const reachable = gauge('holdfast_temporal_reachable', 'Whether the Temporal server answered, 1 or 0');
  const resident = gauge('holdfast_process_resident_memory_bytes', 'Memory of the process, bytes');
  const cores = gauge('holdfast_process_cpu_cores', 'Cores that the process uses');
  const delay = gauge(
    'holdfast_event_loop_delay_max_seconds',
    'Longest time that the event loop was blocked, seconds',
  );
  // The counters begin at 0, so that monitoring sees the first failure as an increase.
  for (const store of STORES) failures.add(0, { store });
  for (const error of SERVICE_FAULTS) faults.add(0, { error });
  facts.add(0, { outcome: 'drawn' });
  for (const step of ['classify', 'answer']) replaced.add(0, { step, by: 'rules' });

  return {
    enabled: true,
    requestBegins() {
      const end = beginRequest();
      return (of) => {
        end();
        request.record(of.seconds, { method: of.method, route: of.route, status: statusClass(of.status) });
      };
    },
    requestFailed: (error) => faults.add(1, { error }),
    waitBegins() {
      const end = beginWait();
      return (of) => {
        end();
        wait.record(of.seconds, { workflow: of.workflow, outcome: of.outcome });
      };
    },
    toolAttempt: (of) => tool.record(of.seconds, { tool: of.tool, outcome: of.outcome }),
    modelCall: (of) =>
      model.record(of.seconds, { provider: of.provider, operation: of.operation, outcome: of.outcome }),
    modelReplaced: (of) => replaced.add(1, { step: of.step, by: of.by }),
    modelFacts: (of) => facts.add(of.facts, { outcome: of.outcome }),
    modelTokens: (of) => tokens.add(of.tokens, { provider: of.provider, kind: of.kind }),
    workerEndedAbnormally: createCounter(
      'holdfast_worker_abnormal_ends',
      'Workers found to have ended without being stopped',
    ),
    harmfulRunEnded: createCounter(
      'holdfast_harmful_runs_ended',
      'Runs terminated because their workflow code ended or stalled workers',
    ),
    storeFailed: (store) => failures.add(1, { store }),
    engineReachable: (is) => reachable.set(is ? 1 : 0),
    processFigures(figures) {
      resident.set(figures.residentBytes);
      cores.set(figures.cores);
      delay.set(figures.loopDelaySeconds);
      heldUp.record(figures.heldUpSeconds);
    },
  };
}

/** Keeps a gauge of what is in progress. Each call adds one, until the function that it returns is called. */
function createInProgressGauge(gauge: MetricGauge): () => () => void {
  let count = 0;
  const add = (change: number): void => gauge.set((count += change));
  add(0);
  return () => {
    add(1);
    return () => add(-1);
  };
}

/** The class of a status, such as `2xx`. The log has the exact status. */
function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
