import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Context } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { pino } from 'pino';
import { createConversationActivities } from '../../../activities/conversation';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import type { Engine } from '../../../temporal/engine';
import { createRunClient, type RunClient } from '../../../temporal/runs/run-client';
import { readRunState } from '../../../temporal/runs/run-state';
import { makeTempDir } from '../temp-dir';
import { sharedTemporal } from '../service';
import { createActivityInterceptor } from '../../../worker/run-workers';

const ROOT = resolve(__dirname, '..', '..', '..');
/** A limit that is never reached, because a sequence holds its turns for any time. */
const WAIT_LIMIT_MS = 600_000;

/** The work of turns, which the test controls. */
export interface Bodies {
  /** Called when a turn begins its work, and resolves when it is to end. */
  begin(workflowId: string): Promise<void>;
}

/** A worker in this process for turns whose work the test controls, with the code of the service and a real engine. */
export interface TurnStage {
  readonly engine: Engine;
  readonly client: Client;
  readonly runs: RunClient;
  readonly documents: DocumentStore;
  /** The work of the turns of each sequence, by the sequence's name. */
  readonly sequences: Map<string, Bodies>;
  close(): Promise<void>;
}

export async function openTurnStage(): Promise<TurnStage> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    // Tests terminate runs during their tasks, which the SDK would log.
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    shutdownSignals: [],
  });
  const dir = makeTempDir();
  const documents = createDocumentStore({ path: join(dir.path, 'places.db') });
  const native = await NativeConnection.connect({ address: sharedTemporal() });
  const client = new Client({ connection: native });
  const taskQueue = `test-${randomUUID()}`;
  const engine = {
    address: sharedTemporal(),
    current: () => ({
      native,
      client,
      namespace: 'default',
      namespaceId: 'default',
      searchAttributes: new Set(),
    }),
  } as unknown as Engine;
  const sequences = new Map<string, Bodies>();
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowBundle: { code: await bundle(dir.path) },
    activities: selectActivities(engine, sequences),
    interceptors: { activity: [(context) => ({ inbound: createActivityInterceptor(context) })] },
    shutdownGraceTime: '1s',
    shutdownForceTime: '5s',
  });
  const running = worker.run();
  return {
    engine,
    client,
    runs: createRunClient({
      engine,
      logger: pino({ level: 'silent' }),
      taskQueue,
      waitLimitMs: WAIT_LIMIT_MS,
    }),
    documents,
    sequences,
    async close() {
      worker.shutdown();
      await running;
      await native.close();
      await Runtime.instance().shutdown();
      await documents.close();
      dir.remove();
    },
  };
}

function selectActivities(
  engine: Engine,
  sequences: ReadonlyMap<string, Bodies>,
): NonNullable<WorkerOptions['activities']> {
  const notUsed = {} as never;
  const { turnState, turnChange } = createConversationActivities({
    recall: notUsed,
    messages: notUsed,
    answerer: notUsed,
    runState: (workflowId, placedAt) => readRunState(engine, workflowId, placedAt),
  });
  return {
    turnState,
    turnChange,
    async beInTurn(sequence: string) {
      const { workflowExecution } = Context.current().info;
      await sequences.get(sequence)?.begin(workflowExecution?.workflowId ?? '');
    },
  };
}

/** The bundler runs in a separate process, because it loads modules without jest's module system. */
async function bundle(dir: string): Promise<string> {
  const file = join(dir, 'bundle.js');
  const script = `const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
    bundleWorkflowCode({ workflowsPath: process.argv[1], logger: new DefaultLogger('ERROR') })
    .then(({ code }) => require('fs').writeFileSync(process.argv[2], code))
    .catch((error) => { console.error(error); process.exitCode = 1; });`;
  await promisify(execFile)(process.execPath, ['-e', script, join(__dirname, 'workflow.ts'), file], {
    cwd: ROOT,
  });
  return readFileSync(file, 'utf8');
}
