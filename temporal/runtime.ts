import { ApplicationFailure } from '@temporalio/common';
import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import { ERROR_CODES } from '../src/base/error-codes';
import type { Logger } from '../src/base/logger';
import { NO_METRICS, type Metrics } from '../src/base/metrics';
import { createMetrics } from './metrics';
import { metricsExporter, orSettingToBlame, type MetricsSettings } from './metrics-exporter';

/**
 * Prepares the SDK's process-wide runtime; call once, before anything connects. The process drives its own
 * shutdown, so the SDK's signal handlers are off. `part` names the process in every figure.
 * @returns where the service tells its own figures
 * @throws HoldfastError `CONFIGURATION` where figures cannot be given out as the settings say
 */
export function installRuntime(logger: Logger, settings: MetricsSettings, part: string): Metrics {
  const write =
    (given: LineLevel) =>
    (message: string, meta: Record<string | symbol, unknown> = {}): void => {
      const level = lineLevel(given, message);
      // Several lines a run are written at levels that nobody reads.
      if (logger.isLevelEnabled(level)) logger[level](lineFields(meta), message);
    };
  const metrics = metricsExporter(settings, part);
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
  const { metricMeter } = orSettingToBlame(settings, install);
  return metrics === undefined ? NO_METRICS : createMetrics(metricMeter);
}

type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** What the SDK warns of and is so on purpose: the workers of steps have no workflows. */
const INTENDED: ReadonlySet<string> = new Set(['No workflows registered, not polling for workflow tasks']);

/** The level that a line of the SDK has in the service's log. */
export function lineLevel(level: LineLevel, message: string): LineLevel {
  return INTENDED.has(message) ? 'debug' : level;
}

/** What names a run in a log line, and what happened to it; the SDK attaches a good deal more. */
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

/** The fields of a line, under the names that the rest of the log has for them. */
export function lineFields(meta: Record<string | symbol, unknown>): Record<string, unknown> {
  const kept = KEPT.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]]));
  const fields = Object.fromEntries(kept) as Record<string, unknown>;
  // The SDK calls it one thing in the lines of workflows and another in those of activities.
  fields['runId'] ??= meta['workflowRunId'];
  if (fields['runId'] === undefined) delete fields['runId'];
  const error = meta['error'] ?? meta['err'];
  const code = codeOf(error);
  // Its message and details may repeat what a user wrote; the run has them.
  if (code !== undefined) fields['code'] = code;
  // pino writes an error out under this name alone.
  else if (error !== undefined && !isCopyOfFailure(error)) fields['err'] = error;
  return fields;
}

const EXPECTED: ReadonlySet<unknown> = new Set(ERROR_CODES.filter((code) => code !== 'INTERNAL'));

/** On its way from a workflow's thread a failure loses its class, and with it its code: its run has both. */
function isCopyOfFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApplicationFailure) return false;
  return error.stack?.startsWith('ApplicationFailure') === true;
}

/** Of a failure that the service foresaw. */
function codeOf(error: unknown): string | undefined {
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  return typeof type === 'string' && EXPECTED.has(type) ? type : undefined;
}
