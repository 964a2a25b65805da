import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { takeProblems } from './environment/process-problems';
import { hostedBy, localBy } from './model-service';
import { type Offer, openOffer, withTemporaryFolder } from './offer';
import { type Relay, startRelay } from './relay';
import { type Service, startService } from './service';

/** A suite's request for a service. */
export interface ServiceRequest {
  readonly settings: Readonly<Record<string, string>>;
  /** Whether no other suite may use the service meanwhile. */
  readonly alone?: boolean;
  /** The ports of the suite's scripted models, if the service is to call models; then the suite has it alone. */
  readonly models?: { readonly hosted: number; readonly local: number };
}

/** Where a suite finds the service that it was given. */
export type ServiceAddress = Pick<Service, 'url' | 'recordsUrl' | 'dataDir' | 'taskQueue'>;

export interface ServicesOffer extends Pick<Offer, 'port'> {
  /**
   * Stops the services.
   * @returns what went wrong with one, such as an exit code
   */
  close(): Promise<string[]>;
}

/** A service that one suite has at a time, and calls the models of that suite. */
interface ServiceInTurns {
  readonly service: Service;
  readonly models?: { readonly hosted: Relay; readonly local: Relay };
}

/**
 * How many services with the same settings run at most that suites use one after another. Two cores have enough work while a
 * suite waits for one.
 */
const MAX_IN_TURNS = Math.ceil(availableParallelism() / 2);

/**
 * Offers services to suites. Each is started when the first suite asks for one with its settings, and runs until all
 * suites have ended. Suites with the same settings share a service; those that ask for it alone use it one after another.
 */
export async function offerServices(): Promise<ServicesOffer> {
  const temporaryFolder = process.env['TMPDIR'];
  const services: Service[] = [];
  const relays: Relay[] = [];
  const shared = new Map<string, Promise<Service>>();
  const turns = openTurns(MAX_IN_TURNS, startInTurns);

  async function start(name: string, settings: ServiceRequest['settings']): Promise<Service> {
    const taskQueue = `test-shared-${name}-${randomUUID()}`;
    const service = await withTemporaryFolder(temporaryFolder, () =>
      startService({ TASK_QUEUE: taskQueue, ...settings }),
    );
    services.push(service);
    return service;
  }

  async function startInTurns({ settings, models }: ServiceRequest): Promise<ServiceInTurns> {
    if (models === undefined) return { service: await start('in-turns', settings) };
    const [hosted, local] = await Promise.all([startRelay(), startRelay()]);
    relays.push(hosted, local);
    const service = await start('models', {
      ...hostedBy({ url: `http://${hosted.address}/v1` }),
      ...localBy({ url: `http://${local.address}/v1` }),
      ...settings,
    });
    return { service, models: { hosted, local } };
  }

  async function give(asked: ServiceRequest, over: Promise<void>): Promise<Service> {
    const { settings, models, alone = models !== undefined } = asked;
    const key = JSON.stringify(Object.entries(settings).sort());
    if (!alone) {
      const started = shared.get(key) ?? start('service', settings);
      shared.set(key, started);
      return started;
    }
    const taken = await turns.take(`${key} ${models === undefined ? '' : 'with models'}`, asked, over);
    if (taken.models === undefined || models === undefined) return taken.service;
    const { hosted, local } = taken.models;
    hosted.connectTo(models.hosted);
    local.connectTo(models.local);
    void over.then(() => {
      hosted.disconnect();
      local.disconnect();
    });
    return taken.service;
  }

  const offer = await openOffer(async ({ request, over }) => {
    const service = await give(request as ServiceRequest, over);
    if (!service.process.running)
      throw new Error(`the shared service has ended: ${service.process.output()}`);
    const { url, recordsUrl, dataDir, taskQueue } = service;
    return { url, recordsUrl, dataDir, taskQueue } satisfies ServiceAddress;
  });
  return {
    port: offer.port,
    async close() {
      offer.close();
      await Promise.allSettled(shared.values());
      const problems = await Promise.all(services.map(stopOf));
      await Promise.all(relays.map((relay) => relay.close()));
      return [...problems.flat(), ...takeProblems()];
    },
  };
}

async function stopOf({ process, taskQueue, stop }: Service): Promise<string[]> {
  await stop();
  const code = await process.exited;
  return code === 0 ? [] : [`the service of ${taskQueue} ended with ${code}: ${process.output()}`];
}

interface Turns<T, Asked> {
  /** Waits for one that no other caller has, or starts one. It is free again when `over` resolves. */
  take(key: string, asked: Asked, over: Promise<void>): Promise<T>;
}

/** Starts up to `max` for each key. One caller has each of them at a time, in the order in which they ask. */
export function openTurns<T, Asked>(max: number, start: (asked: Asked) => Promise<T>): Turns<T, Asked> {
  interface Lane {
    count: number;
    readonly free: Promise<T>[];
    readonly waiting: ((one: { readonly started: Promise<T> }) => void)[];
  }
  const lanes = new Map<string, Lane>();

  async function takeFrom(lane: Lane, asked: Asked): Promise<{ readonly started: Promise<T> }> {
    const free = lane.free.pop();
    if (free !== undefined) return { started: free };
    if (lane.count === max) return new Promise((settle) => lane.waiting.push(settle));
    lane.count += 1;
    return { started: start(asked) };
  }

  return {
    async take(key, asked, over) {
      const lane = lanes.get(key) ?? { count: 0, free: [], waiting: [] };
      lanes.set(key, lane);
      const mine = await takeFrom(lane, asked);
      void over.then(() => {
        const next = lane.waiting.shift();
        if (next === undefined) lane.free.push(mine.started);
        else next(mine);
      });
      return mine.started;
    },
  };
}
