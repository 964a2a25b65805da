import type { Config } from '../../settings/config';
import { createDispatcher } from '../../egress/dispatcher';
import { systemResolver } from '../../egress/resolver';
import { createProviders } from '../../factories/create-providers';
import type { LlmProvider } from '../../llm/provider';
import type { IntentClassifier } from '../intent-classifier';
import type { SecretBox } from '../../secrets/secret-box';
import type { DocumentStore } from '../../stores/documents';
import type { ToolRegistry } from '../../tools/registry';
import type { ToolStatisticsStore } from '../../tools/statistics';
import { createIntentStatistics, type IntentStatisticsStore } from '../statistics/intent-statistics';
import {
  type BatchableClassification,
  createIntentClassification,
  type IntentClassification,
} from './classification';
import { createIntentInitialization, type IntentInitialization } from './initialization';
import { orUnclassified } from './unclassified';

export interface IntentsPorts {
  readonly config: Config;
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  /** Absent where the built-in rules are; likewise `classifier`. */
  readonly builtin: LlmProvider | undefined;
  readonly classifier: IntentClassifier | undefined;
  /** Puts a measure around each provider. */
  readonly measure?: (provider: LlmProvider) => LlmProvider;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly toolStatistics: Pick<ToolStatisticsStore, 'meanTimes'>;
}

/** The intents area as API and worker need it. */
export interface Intents {
  readonly initialization: IntentInitialization;
  /** By the provider that an initialization chose, for requests to this process. Counts nothing. */
  readonly classification: BatchableClassification;
  /** The same for a run; `allowPrivate` is what the run carries. Counts nothing. */
  readonly classificationFor: (allowPrivate: boolean) => BatchableClassification;
  /** By the configured provider, which needs no initialization. Counts nothing. */
  readonly ofTurns: IntentClassification;
  readonly statistics: IntentStatisticsStore;
  /** Ends connections to providers. */
  close(): Promise<void>;
}

export function createIntents(ports: IntentsPorts): Intents {
  const { config, documents, secrets, builtin, classifier, measure, registry, toolStatistics } = ports;
  const strict = createDispatcher(systemResolver, false);
  const permitted = createDispatcher(systemResolver, true);
  const initialization = createIntentInitialization({
    documents,
    secrets,
    settings: config,
    builtin,
    measure,
    dispatcher: (allowPrivate) => (allowPrivate ? permitted : strict),
  });
  const common = {
    classifier,
    tools: () => registry.list(),
    toolTimes: (names: readonly string[]) => toolStatistics.meanTimes(names),
  };
  const reaching = (allowPrivate: boolean): BatchableClassification =>
    createIntentClassification({ ...common, providers: () => initialization.providers(allowPrivate) });
  const [publicOnly, withPrivate] = [reaching(false), reaching(true)];
  // Attempts and fallback are a classification's own.
  const configured = createProviders({ ...config, LLM_MAX_ATTEMPTS: 1 }, builtin, {
    fallback: false,
    measure,
  });
  const byConfigured = createIntentClassification({
    ...common,
    providers: () => Promise.resolve(configured),
  });
  const ofTurns = classifier === undefined ? orUnclassified(byConfigured) : byConfigured;
  const statistics = createIntentStatistics({ documents, retentionMs: config.STATISTICS_RETENTION_MS });
  return {
    initialization,
    classification: config.EGRESS_ALLOW_PRIVATE ? withPrivate : publicOnly,
    classificationFor: (allowPrivate) => (allowPrivate && config.privateForRuns ? withPrivate : publicOnly),
    ofTurns,
    statistics,
    async close() {
      await Promise.all([strict.destroy(), permitted.destroy()]);
    },
  };
}
