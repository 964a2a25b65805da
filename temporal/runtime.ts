import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import type { Logger } from '../src/logger';

/**
 * Prepares the SDK's process-wide runtime; call once, before anything connects. The process drives its own
 * shutdown, so the SDK's signal handlers are off.
 */
export function installRuntime(logger: Logger): void {
  const write =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, meta: Record<string | symbol, unknown> = {}): void =>
      logger[level](withoutNoise(meta), message);
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
    },
  });
}

/** What names a run in a log line; the SDK attaches a good deal more. */
const KEPT = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'activityId',
  'attempt',
  'taskQueue',
  'error',
  'toolName',
];

function withoutNoise(meta: Record<string | symbol, unknown>): Record<string, unknown> {
  return Object.fromEntries(KEPT.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]])));
}
