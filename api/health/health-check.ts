import type {
  BasicHealth,
  DetailedHealth,
  ExternalQueuePolls,
  HealthStatus,
  WorkerStatus,
} from '../../src/contracts/http/health';
import { HoldfastError, messageOf } from '../../src/base/errors';
import { describeEmbedders, type EmbedderView, findsBy } from '../../src/memory/vectors/embedder-view';
import { VERSION } from '../../src/base/version';
import type { DiskWatch } from '../../src/stores/disk-watch';
import { describeSkew } from '../../temporal/measure-clock';
import { REPORTED_SKEW_MS } from '../../temporal/server-clock';
import type { QueuePolls } from '../../temporal/task-queues';
import { workerHealth } from './worker-health';
import { withinTime } from '../../src/base/async/time-limit';
import type { WorkerFaults } from '../../src/worker-faults/strikes';

const SAMPLE_MS = 1_000;

/** A component that does not answer within this time counts as failed, milliseconds. */
const CHECK_LIMIT_MS = 1_500;

export interface HealthPorts {
  readonly database: { ping(): Promise<void> };
  /** The kind of the database. */
  readonly store: DetailedHealth['services']['database']['store'];
  readonly registry: { count(): Promise<number> };
  readonly disk: Pick<DiskWatch, 'check'>;
  readonly engine: { check(): Promise<void> };
  /** Reads which workers poll each task queue. */
  readonly workers: { polls(): Promise<readonly QueuePolls[]> };
  /** Who polls the task queues of other workers that the caller's tenant may name. */
  readonly externalQueues: { polls(): Promise<ExternalQueuePolls[]> };
  readonly embedder: { read(): Promise<EmbedderView | undefined> };
  /** Reads the faults of workers that all processes counted. */
  readonly faults: { read(): Promise<WorkerFaults> };
  /** Explains which steps were last made without their model; undefined if models do their work. */
  readonly standIns: { describe(): Promise<string | undefined> };
  /** The configured language-model providers. */
  readonly providers: readonly string[];
  /** Whether runs of this API may reach private addresses. */
  readonly allowPrivate: boolean;
  /** How far the clock of this machine is ahead of that of the Temporal server, milliseconds; undefined if not known. */
  readonly skewMs: () => number | undefined;
  readonly cpu: CpuMeter;
  readonly connections: () => Promise<number>;
}

interface Check<T> {
  readonly status: HealthStatus;
  readonly lastCheck: string;
  /** Milliseconds. */
  readonly responseTime: number;
  readonly value?: T;
  readonly reason?: string;
}

async function runCheck<T>(probe: () => Promise<T>): Promise<Check<T>> {
  const started = performance.now();
  const done = (): { lastCheck: string; responseTime: number } => ({
    lastCheck: new Date().toISOString(),
    responseTime: Math.round((performance.now() - started) * 100) / 100,
  });
  try {
    const value = await withinTime(probe(), CHECK_LIMIT_MS, () => {
      throw new Error(`no answer within ${CHECK_LIMIT_MS} ms`);
    });
    return { status: 'healthy', ...done(), value };
  } catch (error) {
    return { status: 'unhealthy', ...done(), reason: messageOf(error) };
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

export interface HealthCheck {
  /** Probes every component once, all at the same time. */
  detailed(): Promise<DetailedHealth>;
  basic(): Promise<BasicHealth>;
}

/** Creates the health check, which probes every component. Requests during a probe share its result. */
export function createHealthCheck(ports: HealthPorts): HealthCheck {
  let pending: Promise<DetailedHealth> | undefined;

  async function probe(): Promise<DetailedHealth> {
    const [database, temporal, tools, disk, polled, faults, embedder, standIns, external] = await Promise.all(
      [
        runCheck(() => ports.database.ping()),
        runCheck(() => ports.engine.check()),
        runCheck(() => ports.registry.count()),
        runCheck(() => ports.disk.check()),
        runCheck(() => ports.workers.polls()),
        runCheck(() => ports.faults.read()),
        runCheck(() => ports.embedder.read()),
        runCheck(() => ports.standIns.describe()),
        runCheck(() => ports.externalQueues.polls()),
      ],
    );
    const workers = { ...withoutValue(polled), ...toWorkerHealth(polled), ...faults.value };
    const timestamp = new Date().toISOString();
    const healthy = [database, temporal, tools, disk, workers].every(({ status }) => status !== 'unhealthy');
    return {
      status: healthy ? 'healthy' : 'unhealthy',
      timestamp,
      uptime: Math.round(process.uptime() * 10) / 10,
      version: VERSION,
      services: {
        database: { ...withoutValue(database), store: ports.store },
        llm: { ...llmHealth(standIns), lastCheck: timestamp, providers: [...ports.providers] },
        tools: {
          status: tools.status,
          lastCheck: tools.lastCheck,
          ...reasonOf(tools),
          registeredTools: tools.value ?? 0,
          ...(external.value?.length ? { externalQueues: external.value } : {}),
        },
        ...embedderHealth(embedder),
        temporal: withoutValue(temporal),
        disk: withoutValue(disk),
        workers,
      },
      egress: { privateAddresses: ports.allowPrivate ? 'allowed' : 'refused' },
      ...clockOf(ports.skewMs()),
      metrics: {
        memoryUsage: megabytes(process.memoryUsage.rss()),
        cpuUsage: `${ports.cpu.percent().toFixed(1)}%`,
        activeConnections: await ports.connections(),
      },
    };
  }

  function detailed(): Promise<DetailedHealth> {
    pending ??= probe().finally(() => (pending = undefined));
    return pending;
  }

  return {
    detailed,
    async basic() {
      const { services, status, timestamp, uptime, version } = await detailed();
      const { database, llm, tools, temporal, disk, workers } = services;
      return {
        status,
        timestamp,
        uptime,
        version,
        services: {
          database: database.status,
          // Turns are answered, so the short form has it as before.
          llm: llm.status === 'unhealthy' ? llm.status : 'healthy',
          tools: tools.status,
          temporal: temporal.status,
          disk: disk.status,
          workers: workers.status,
        },
      };
    },
  };
}

/** Its state says nothing of the service as a whole, which finds memories by words meanwhile. */
function embedderHealth({
  lastCheck,
  value,
}: Check<EmbedderView | undefined>): Pick<DetailedHealth['services'], 'embedder'> {
  if (value === undefined) return {};
  const { inUse, state, preferred } = value;
  const waited = preferred?.state ?? state;
  const isHealthy = preferred === undefined && state?.state === 'ready';
  return {
    embedder: {
      status: isHealthy ? 'healthy' : 'degraded',
      lastCheck,
      ...inUse,
      finds: findsBy(inUse),
      ...(waited?.state === 'loading' && waited.progress !== undefined ? { progress: waited.progress } : {}),
      note: describeEmbedders(value),
    },
  };
}

/** If something stands in for a model, turns are answered all the same, so the service as a whole is healthy. */
function llmHealth({
  value,
}: Check<string | undefined>): Pick<DetailedHealth['services']['llm'], 'status' | 'reason'> {
  return value === undefined ? { status: 'healthy' } : { status: 'degraded', reason: value };
}

function clockOf(skewMs: number | undefined): Pick<DetailedHealth, 'clock'> {
  if (skewMs === undefined) return {};
  const isSkewed = Math.abs(skewMs) > REPORTED_SKEW_MS;
  return { clock: { skewMs, ...(isSkewed ? { warning: describeSkew(skewMs) } : {}) } };
}

/** If the poll of queues failed, no queue is listed, since workers may still be there. */
function toWorkerHealth({ value }: Check<readonly QueuePolls[]>) {
  return value === undefined ? { queues: [] } : workerHealth(value);
}

function reasonOf({ reason }: Check<unknown>): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

function withoutValue(result: Check<unknown>) {
  return {
    status: result.status,
    lastCheck: result.lastCheck,
    responseTime: result.responseTime,
    ...reasonOf(result),
  };
}

/** Reasons that the basic form gives too, which is open to everyone. */
const OPEN_REASONS: Readonly<Record<string, string>> = {
  disk: 'the disk of DATA_DIR is full: make room; no restart is needed',
};

/** Returns a healthy result as it is. @throws HoldfastError `UNHEALTHY` with the failed components */
export function requireHealthy<H extends BasicHealth | DetailedHealth>(health: H): H {
  if (health.status === 'healthy') return health;
  const services: Readonly<Record<string, WorkerStatus | { status: WorkerStatus; reason?: string }>> =
    health.services;
  const failed = Object.entries(services).flatMap(([name, service]) => {
    const { status, reason } =
      typeof service === 'string' ? { status: service, reason: OPEN_REASONS[name] } : service;
    return status === 'unhealthy' ? [{ name, reason }] : [];
  });
  const named = failed.map(({ name, reason }) => (reason === undefined ? name : `${name} (${reason})`));
  throw new HoldfastError('UNHEALTHY', `Not working: ${named.join(', ')}`, {
    details: {
      status: 'unhealthy',
      failedServices: failed.map(({ name }) => name),
      timestamp: health.timestamp,
    },
  });
}

interface CpuMeter {
  /** @returns CPU use over the last second in percent of one core; above 100 with several threads */
  percent(): number;
  stop(): void;
}

/** Samples the CPU time of this process once a second. */
export function startCpuMeter(): CpuMeter {
  let before = process.cpuUsage();
  let beforeAt = performance.now();
  let percent = 0;
  const timer = setInterval(() => {
    const used = process.cpuUsage(before);
    const now = performance.now();
    percent = (used.user + used.system) / 10 / (now - beforeAt);
    before = process.cpuUsage();
    beforeAt = now;
  }, SAMPLE_MS).unref();
  return { percent: () => percent, stop: () => clearInterval(timer) };
}
