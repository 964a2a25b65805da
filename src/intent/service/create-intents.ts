import type { Config } from '../../config';
import { createDispatcher } from '../../egress/dispatcher';
import { systemResolver } from '../../egress/resolver';
import type { LlmProvider } from '../../llm/provider';
import type { SecretBox } from '../../secrets/secret-box';
import type { DocumentStore } from '../../stores/documents';
import type { ToolRegistry } from '../../tools/registry';
import type { ToolStatisticsStore } from '../../tools/statistics';
import { createBuiltinClassifier } from '..';
import { createIntentStatistics, type IntentStatisticsStore } from '../statistics/intent-statistics';
import { createIntentClassification, type IntentClassification } from './classification';
import { createIntentInitialization, type IntentInitialization } from './initialization';

export interface IntentsPorts {
  readonly config: Config;
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  readonly builtin: LlmProvider;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly toolStatistics: Pick<ToolStatisticsStore, 'meanTimes'>;
}

/** The intents area as API and worker need it. */
export interface Intents {
  readonly initialization: IntentInitialization;
  /** Counts nothing. */
  readonly classification: IntentClassification;
  readonly statistics: IntentStatisticsStore;
  /** Ends connections to providers. */
  close(): Promise<void>;
}

export function createIntents(ports: IntentsPorts): Intents {
  const { config, documents, secrets, builtin, registry, toolStatistics } = ports;
  const dispatcher = createDispatcher(systemResolver, config.EGRESS_ALLOW_PRIVATE);
  const initialization = createIntentInitialization({
    documents,
    secrets,
    settings: config,
    builtin,
    dispatcher,
  });
  const classification = createIntentClassification({
    providers: () => initialization.providers(),
    classifier: createBuiltinClassifier(),
    tools: () => registry.list(),
    toolTimes: (names) => toolStatistics.meanTimes(names),
  });
  const statistics = createIntentStatistics({ documents, retentionMs: config.STATISTICS_RETENTION_MS });
  return { initialization, classification, statistics, close: () => dispatcher.destroy() };
}
