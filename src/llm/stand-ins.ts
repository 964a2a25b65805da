import type { ProviderName } from '../contracts/http/llm';
import { messageOf } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Metrics } from '../base/metrics';
import type { DocumentStore } from '../stores/documents';

/** A step of a turn that was made without the model that it was meant for. */
export interface StandIn {
  readonly step: 'classify' | 'answer';
  /** What stood in: the built-in rules, quotations of memories and results, or nothing. */
  readonly by: 'rules' | 'quotes' | 'nothing';
  /** The provider that was meant; absent if the step does not know. */
  readonly provider?: ProviderName | undefined;
  readonly reason: string;
  /** Whether settings of the caller may be why, so that it says nothing of the service's health. */
  readonly isOfCaller?: boolean;
}

/** Where it is noted that something stands in for a model, so that an operator sees it. */
export interface StandIns {
  note(standIn: StandIn): void;
  /** Notes that a model does such steps, so that it counts no longer as failing. */
  modelAnswered(step: StandIn['step']): void;
}

export interface StandInsPorts {
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'modelReplaced'>;
  /** Those that all processes share. */
  readonly documents: Pick<DocumentStore, 'write'>;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** The last stand-in of a step, as the processes share it. */
interface SharedStandIn extends StandIn {
  /** ISO 8601. */
  readonly at: string;
}

const COLLECTION = 'model-stand-ins';
const STEPS: readonly StandIn['step'][] = ['classify', 'answer'];
/** A step is logged once in this time, milliseconds. */
const LOG_EVERY_MS = 60_000;
/** How often a process tells the others that a step is still made without its model, milliseconds. */
const SHARE_EVERY_MS = 10_000;
/** How long a stand-in counts if no process says that the model answers again, milliseconds. */
const COUNTS_FOR_MS = 300_000;

interface Noted {
  loggedAt: number;
  sharedAt: number;
  /** Stand-ins that no line of the log has counted yet. */
  unlogged: number;
}

/** Notes stand-ins of this process in its log and figures, and in the store for the health of all. */
export function createStandIns({ logger, metrics, documents, now = Date.now }: StandInsPorts): StandIns {
  const noted = new Map<StandIn['step'], Noted>();
  let written: Promise<unknown> = Promise.resolve();

  /** Writes in the order of the calls. Health says less when the store is away, which is reported elsewhere. */
  function share(write: Parameters<DocumentStore['write']>[0]): void {
    written = written
      .then(() => documents.write(write))
      .catch((error: unknown) =>
        logger.warn({ reason: messageOf(error) }, 'that a model fails could not be noted for health'),
      );
  }

  return {
    note(standIn) {
      const { step, by, provider, reason, isOfCaller } = standIn;
      metrics.modelReplaced({ step, by });
      const at = now();
      const note = noted.get(step) ?? { loggedAt: -Infinity, sharedAt: -Infinity, unlogged: 0 };
      noted.set(step, note);
      note.unlogged += 1;
      if (at - note.loggedAt >= LOG_EVERY_MS) {
        logger.warn(
          { step, by, provider, reason, times: note.unlogged },
          'a turn was made without its model',
        );
        Object.assign(note, { loggedAt: at, unlogged: 0 });
      }
      if (isOfCaller === true || at - note.sharedAt < SHARE_EVERY_MS) return;
      note.sharedAt = at;
      const value: SharedStandIn = { ...standIn, at: new Date(at).toISOString() };
      const put = { type: 'put' as const, collection: COLLECTION, key: step, value };
      share([{ ...put, expiresAt: at + COUNTS_FOR_MS }]);
    },
    modelAnswered(step) {
      const note = noted.get(step);
      if (note === undefined || note.sharedAt === -Infinity) return;
      note.sharedAt = -Infinity;
      share([{ type: 'delete', collection: COLLECTION, key: step }]);
    },
  };
}

/**
 * Explains in a sentence which steps were last made without their model, in any process.
 * @returns undefined if none was in the last five minutes, or the model has answered since
 * @throws HoldfastError `STORE_UNAVAILABLE`
 */
export async function describeStandIns(
  documents: Pick<DocumentStore, 'getMany'>,
): Promise<string | undefined> {
  const standIns = await documents.getMany<SharedStandIn>(COLLECTION, STEPS);
  const sentences = STEPS.flatMap((step) => {
    const shared = standIns.get(step)?.value;
    // The store may keep what has expired for a while.
    if (shared === undefined || Date.parse(shared.at) < Date.now() - COUNTS_FOR_MS) return [];
    const { by, provider, reason, at } = shared;
    const of = provider === undefined ? 'a model' : `a model of "${provider}"`;
    return [`${by} stood in for ${of} (${step}, ${at}): ${reason}`];
  });
  return sentences.length === 0 ? undefined : sentences.join('. ');
}
