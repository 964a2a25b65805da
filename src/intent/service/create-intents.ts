import type { Config } from '../../settings/config';
import { createDispatcher, callerResolver } from '../../egress/dispatcher';
import { newId } from '../../base/ids';
import { createSpendingLedger } from '../../llm/spending-ledger';
import { createProviders, type WrapProvider } from '../../factories/create-providers';
import type { LlmProvider } from '../../llm/provider';
import type { StandIns } from '../../llm/stand-ins';
import type { IntentClassifier } from '../intent-classifier';
import type { SecretBox } from '../../secrets/secret-box';
import type { TenantDocuments } from '../../stores/documents';
import type { ToolRegistry } from '../../tools/registry';
import type { ToolStatisticsStore } from '../../tools/statistics';
import { createIntentStatistics, type IntentStatisticsStore } from '../statistics/intent-statistics';
import {
  type BatchableClassification,
  createIntentClassification,
  type IntentClassification,
} from './classification';
import { createIntentInitialization, type IntentInitialization } from './initialization';
import type { ErrorCode } from '../../base/error-codes';
import { NOT_CLASSIFIED } from '../../contracts/intent-types';
import type { Classification } from '../../contracts/http/intents';
import { isHoldfastError } from '../../base/errors';
import { stopwatch } from '../../base/stopwatch';
import { planExecution } from './execution-plan';

/** Codes of a classification that no classifier could answer, though neither the request nor a store is at fault. */
const UNANSWERED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MODEL_NOT_CONFIGURED',
  'CLASSIFICATION_FAILED',
  'CLASSIFICATION_TIMEOUT',
]);

/** What the intents areas of all tenants share. */
export interface IntentsPorts {
  readonly config: Config;
  /** Those of the default tenant. An initialization holds for all tenants. */
  readonly documents: TenantDocuments;
  readonly secrets: SecretBox;
  /** The provider of the built-in rules; like `classifier`, absent if they are off or not installed. */
  readonly builtin: LlmProvider | undefined;
  readonly classifier: IntentClassifier | undefined;
  /** As in `ProviderOptions`. */
  readonly wrap?: WrapProvider;
  readonly standIns: StandIns;
  /** Epoch milliseconds by the clock of the Temporal server. */
  readonly now: () => number;
}

/** What the intents area of a tenant uses of that tenant. */
export interface TenantIntentsPorts {
  readonly documents: TenantDocuments;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly toolStatistics: Pick<ToolStatisticsStore, 'meanTimes'>;
}

/** The intents areas of all tenants. */
export interface AllIntents {
  of(ports: TenantIntentsPorts): Intents;
  /** Closes the connections to providers. */
  close(): Promise<void>;
}

/** The intents area as API and worker need it. */
export interface Intents {
  readonly initialization: IntentInitialization;
  /** Classifies requests to this process by the provider that an initialization chose. Records no statistics. */
  readonly classification: BatchableClassification;
  /** The same for a run; `allowPrivate` is the permission that the run carries. Records no statistics. */
  readonly classificationFor: (allowPrivate: boolean) => BatchableClassification;
  /** Classifies turns by the configured provider, which needs no initialization. Records no statistics. */
  readonly classificationForTurns: IntentClassification;
  readonly statistics: IntentStatisticsStore;
}

export function createIntents(ports: IntentsPorts): AllIntents {
  const { config, secrets, builtin, classifier, wrap, standIns } = ports;
  const resolve = callerResolver(config.EGRESS_DNS);
  const strict = createDispatcher(resolve, false);
  const permitted = createDispatcher(resolve, true);
  const initialization = createIntentInitialization({
    documents: ports.documents,
    secrets,
    settings: config,
    builtin,
    wrap,
    dispatcher: (allowPrivate) => (allowPrivate ? permitted : strict),
  });
  // A classification has its own attempts.
  const configured = createProviders({ ...config, LLM_MAX_ATTEMPTS: 1 }, builtin, { wrap });
  return {
    of({ documents, registry, toolStatistics }) {
      const common = {
        classifier,
        standIns,
        firstReader: config.CLASSIFY_FIRST,
        honoursModel: true,
        // A request of the API waits for a classification itself.
        maxWaitMs: Math.min(config.LLM_MAX_WAIT_MS, config.WAIT_LIMIT_MS),
        ledger: createSpendingLedger({ documents, newId, now: ports.now }),
        tools: () => registry.list(),
        toolTimes: (names: readonly string[]) => toolStatistics.meanTimes(names),
      };
      const reaching = (allowPrivate: boolean): BatchableClassification =>
        createIntentClassification({ ...common, providers: () => initialization.providers(allowPrivate) });
      const [publicOnly, withPrivate] = [reaching(false), reaching(true)];
      const byConfigured = createIntentClassification({
        ...common,
        honoursModel: false,
        providers: () => Promise.resolve(configured),
      });
      return {
        initialization,
        classification: config.EGRESS_ALLOW_PRIVATE ? withPrivate : publicOnly,
        classificationFor: (allowPrivate) =>
          allowPrivate && config.privateForRuns ? withPrivate : publicOnly,
        classificationForTurns:
          classifier === undefined ? withUnclassifiedFallback(byConfigured) : byConfigured,
        statistics: createIntentStatistics({ documents, retentionMs: config.STATISTICS_RETENTION_MS }),
      };
    },
    async close() {
      await Promise.all([strict.destroy(), permitted.destroy()]);
    },
  };
}

/**
 * Classifies a query that could not be classified as `conversation`, so that a turn continues if there are no rules.
 * In such a classification `modelUsed` is `none`, and `fallback` says why.
 */
export function withUnclassifiedFallback(classification: IntentClassification): IntentClassification {
  return {
    async classify(query, options, signal, bounds) {
      const elapsed = stopwatch();
      try {
        return await classification.classify(query, options, signal, bounds);
      } catch (error) {
        if (!isHoldfastError(error) || !UNANSWERED.has(error.code)) throw error;
        return unclassified(error.message, elapsed(), options.includeReasoning !== false);
      }
    },
  };
}

async function unclassified(
  reason: string,
  classificationTime: number,
  withReasoning: boolean,
): Promise<Classification> {
  const intent = { type: 'conversation' as const, requiredTools: [] };
  return {
    intent: {
      ...intent,
      confidence: 0,
      memoryContext: false,
      reasoning: withReasoning ? 'The query was not classified.' : undefined,
    },
    executionPlan: await planExecution(intent, 'builtin', () => Promise.resolve(new Map())),
    metadata: {
      classificationTime,
      modelUsed: NOT_CLASSIFIED,
      confidence: 0,
      fallback: reason,
      lowConfidence: true,
      alternatives: [],
    },
  };
}
