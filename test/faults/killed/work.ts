import type { WorkflowExecutionInfo } from '@temporalio/client';
import { LEXICAL } from '../../support/memories';
import { type Behaviour, type ModelRequest, type ModelServer, says } from '../../support/model-server';
import { localBy } from '../../support/model-service';
import type { PartProcess } from '../../support/process';
import { listRuns } from '../../support/runs';
import { type Api, openStage, type Stage } from '../../support/stage';
import { waitFor } from '../../support/wait';

/** Work that is under way when a process dies. */
export interface Work {
  readonly name: string;
  /** The tool calls that it is counted as; none by default. */
  readonly counted?: { readonly succeeded?: number; readonly failed?: number };
  /** What the work needs and another one would see if it came while that is under way. */
  prepare?(on: Ground): Promise<unknown>;
  /** Begins the work and resolves when it is where the process is to die. */
  begin(on: Ground): Promise<Begun>;
}

export interface Begun {
  /** Expects what must hold after the death, while no other process has taken the place. */
  whileGone?(): Promise<unknown>;
  /** Lets the work end, after another process has taken the place of the dead one. */
  resume?(): Promise<unknown>;
  /** Expects what must hold at the end. */
  holds(): Promise<void>;
}

/** One model for all works of a stage: it follows the script of the work whose mark is in the request. */
export class SharedModel {
  readonly #scripts = new Map<string, { readonly queue: Behaviour[]; readonly rest: Behaviour }>();

  constructor(readonly server: ModelServer) {
    server.otherwise((request, response) => {
      const script = this.#scripts.get(this.#markOf(request) ?? '');
      return (script?.queue.shift() ?? script?.rest ?? says('ok'))(request, response);
    });
  }

  /** @param mark a text that only the requests of one work have */
  script(mark: string, queue: readonly Behaviour[], rest: Behaviour = says('ok')): void {
    this.#scripts.set(mark, { queue: [...queue], rest });
  }

  requestsOf(mark: string): ModelRequest[] {
    return this.server.requests.filter((request) => this.#markOf(request) === mark);
  }

  async asked(mark: string, count: number): Promise<void> {
    await waitFor(() => this.requestsOf(mark).length >= count, {
      what: `request ${count} of "${mark}" at the model`,
    });
  }

  #markOf({ body }: ModelRequest): string | undefined {
    const text = JSON.stringify(body.messages);
    return [...this.#scripts.keys()].find((mark) => text.includes(mark));
  }
}

/** The processes on which the works of a victim run, and which die and are replaced. */
export interface Ground {
  readonly stage: Stage;
  readonly model: SharedModel;
  /** The API that serves at present. */
  readonly api: Api;
  readonly workers: readonly PartProcess[];
  killApi(): Promise<void>;
  startApi(): Promise<void>;
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

/** Long enough for a call that waits until the server misses the heartbeats of a dead worker. */
const PATIENT = { TOOL_TIMEOUT_MS: '60000', RUN_TIMEOUT_MS: '90000', WAIT_LIMIT_MS: '90000' };

export interface GroundOptions {
  /** How many workers there are at first. */
  readonly workers?: number;
  readonly workerEnv?: Readonly<Record<string, string>>;
}

export async function openGround(
  models: ModelServer,
  { workers: count = 1, workerEnv = {} }: GroundOptions,
): Promise<Ground> {
  const stage = await openStage();
  // The works wait for what each step asks the model.
  const env = { ...LEXICAL, ...localBy(models), CLASSIFY_FIRST: 'model' };
  const startApi = () => stage.api({ ...env, ...PATIENT });
  const startWorker = (more = {}) => stage.worker({ ...env, ...more });
  const [first, ...workers] = await Promise.all([
    startApi(),
    ...Array.from({ length: count }, () => startWorker(workerEnv)),
  ]);
  let api = first;
  return {
    stage,
    model: new SharedModel(models),
    get api() {
      return api;
    },
    workers,
    killApi: () => api.process.kill(),
    async startApi() {
      api = await startApi();
    },
    async startWorker() {
      workers.push(await startWorker());
    },
    close: () => stage.close(),
  };
}

/** The run whose input has a text, as soon as the server's index knows it. */
export function runWith({ client, taskQueue }: Stage, text: string): Promise<WorkflowExecutionInfo> {
  return waitFor(
    async () => {
      for (const run of await listRuns(client, taskQueue)) {
        const { events } = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
        const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
        if (payloads.some(({ data }) => Buffer.from(data ?? []).includes(text))) return run;
      }
      return undefined;
    },
    { what: `a run with ${text} to be listed` },
  );
}
