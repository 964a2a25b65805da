import { ApplicationFailure } from '@temporalio/common';
import { type Logger as SdkLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { ERROR_CODES } from '../src/base/error-codes';
import type { Logger } from '../src/base/logger';
import { NO_METRICS, type Metrics } from '../src/base/metrics';
import { createMetrics } from './metrics';
import { toExporterConfig, blameMetricsSetting, type MetricsSettings } from './metrics-exporter';

/**
 * Installs the SDK's process-wide runtime. A process calls this once, before anything connects. It switches the SDK's
 * signal handlers off, because the process controls its own shutdown. `part` names the process in every metric.
 * @returns the metrics to which the service reports
 * @throws HoldfastError `CONFIGURATION` if the metrics cannot be exposed or sent as the settings say
 */
export function installRuntime(logger: Logger, settings: MetricsSettings, part: string): Metrics {
  const write =
    (given: LineLevel) =>
    (message: string, meta: Record<string | symbol, unknown> = {}): void => {
      const level = lineLevel(given, message);
      if (logger.isLevelEnabled(level)) logger[level](lineFields(meta), message);
    };
  const metrics = toExporterConfig(settings, part);
  const install = (): Runtime =>
    Runtime.install({
      shutdownSignals: [],
      logger: {
        log: (level, message, meta) => write(level.toLowerCase() as 'info')(message, meta),
        trace: write('trace'),
        debug: write('debug'),
        info: write('info'),
        warn: write('warn'),
        error: write('error'),
      },
      telemetryOptions: {
        logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
        metrics,
      },
    });
  const runtime = blameMetricsSetting(settings, install);
  leaveOutLines(runtime.logger, (level) => logger.isLevelEnabled(lineLevel(level)));
  const { metricMeter } = runtime;
  return metrics === undefined ? NO_METRICS : createMetrics(metricMeter);
}

/**
 * Leaves out the lines of a logger of the SDK whose level is off. The SDK writes several for each run at levels that are
 * usually off, and it stamps, buffers and sorts a line before it passes it to the logger that knows the level.
 */
export function leaveOutLines(sdk: SdkLogger, isOn: (level: LineLevel) => boolean): void {
  const log = sdk.log.bind(sdk);
  sdk.log = (level, message, meta) => {
    if (isOn(level.toLowerCase() as LineLevel)) log(level, message, meta);
  };
}

type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Warnings of the SDK about what is intended: workers of activity queues have no workflows. */
const INTENDED: ReadonlySet<string> = new Set(['No workflows registered, not polling for workflow tasks']);

/**
 * The level of a line of the SDK in the service's log. What the SDK reports without a warning, such as each change of the state of
 * each worker, is for those who look into the SDK. Pure.
 */
export function lineLevel(level: LineLevel, message = ''): LineLevel {
  return level === 'info' || INTENDED.has(message) ? 'debug' : level;
}

/**
 * The fields of the SDK's lines that are kept: those that identify a run or say what happened. The SDK adds many
 * more.
 */
const KEPT = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'activityId',
  'attempt',
  'taskQueue',
  'state',
  'reason',
  'toolName',
];

/** The fields of a line of the SDK, under the names that the service's log uses. */
export function lineFields(meta: Record<string | symbol, unknown>): Record<string, unknown> {
  const entries = KEPT.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]]));
  const fields = Object.fromEntries(entries) as Record<string, unknown>;
  // The SDK names this field differently in the lines of workflows and of activities.
  fields['runId'] ??= meta['workflowRunId'];
  if (fields['runId'] === undefined) delete fields['runId'];
  const error = meta['error'] ?? meta['err'];
  const code = expectedCode(error);
  // Only the code is logged, because message and details may repeat what a user wrote. The run has them.
  if (code !== undefined) fields['code'] = code;
  // pino formats an error only under the name `err`.
  else if (error !== undefined && !isCopyOfFailure(error)) fields['err'] = error;
  return fields;
}

const EXPECTED: ReadonlySet<unknown> = new Set(ERROR_CODES.filter((code) => code !== 'INTERNAL'));

/** Whether an error is a failure from a workflow's thread, which has lost its class and its code. The run has both. */
function isCopyOfFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApplicationFailure) return false;
  return error.stack?.startsWith('ApplicationFailure') === true;
}

/** The code of a failure that the service expects; undefined for any other error. */
function expectedCode(error: unknown): string | undefined {
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  return typeof type === 'string' && EXPECTED.has(type) ? type : undefined;
}
