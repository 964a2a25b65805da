import {
  type Classification,
  type ClassificationOptions,
  type Intent,
  usesMemory,
  usesTools,
} from '../../contracts/intents';
import type { ToolDescription } from '../../contracts/llm';
import type { ModelProviders } from '../../llm/create-providers';
import { textOfContext } from '../surroundings';
import type { IntentClassifier } from '../types';
import type { Question } from './ask-model';
import { type ModelVerdict, withAttempts } from './attempts';
import { agreedConfidence, alternativesTo, type Opinion } from './confidence';
import { DEFAULTS } from './defaults';
import { planExecution, type ToolTimes } from './execution-plan';

export interface ClassificationPorts {
  /** @throws HoldfastError `INTENT_NOT_INITIALIZED` */
  readonly providers: () => Promise<ModelProviders>;
  readonly classifier: IntentClassifier;
  readonly tools: () => Promise<readonly ToolDescription[]>;
  readonly toolTimes: ToolTimes;
}

export interface IntentClassification {
  /**
   * Classifies one query. An abort by `signal` rejects with the signal's reason; absent: only the time limit ends it.
   * @throws HoldfastError `INTENT_NOT_INITIALIZED`; `CLASSIFICATION_FAILED` with details `{ query, attempts, lastError }` and
   * `CLASSIFICATION_TIMEOUT` with details `{ timeout, actualTime }`, unless `options.fallback` lets the rules answer;
   * `MODEL_NOT_CONFIGURED` or `MODEL_UNKNOWN` for a model that is not there; `STORE_UNAVAILABLE`
   */
  classify(query: string, options: ClassificationOptions, signal?: AbortSignal): Promise<Classification>;
}

/** What was found out about a query, whoever found it. */
interface Verdict {
  readonly intent: Omit<Intent, 'memoryContext'>;
  readonly opinion: Opinion;
  readonly modelUsed: string;
  readonly answeredBy: 'builtin' | 'model';
  readonly metadata: Partial<Classification['metadata']>;
}

export function createIntentClassification(ports: ClassificationPorts): IntentClassification {
  const { classifier } = ports;

  function byRules(
    { query, options, tools }: Question,
    metadata: Partial<Classification['metadata']> = {},
  ): Verdict {
    const { previousIntents = [], hintIntent, context } = options;
    const { probabilities: opinion, ...intent } = classifier.classify(query, {
      previousIntents,
      tools,
      doubtBelow: thresholdOf(options),
      ...(hintIntent === undefined ? {} : { hintIntent }),
      ...(context === undefined ? {} : { surroundings: textOfContext(context) }),
    });
    return { intent, opinion, modelUsed: 'builtin', answeredBy: 'builtin', metadata };
  }

  /** A type of low confidence is looked at again by the rules, which weigh hint, intents before and context. */
  function withSecondOpinion(
    question: Question,
    { answer, model, retries, tokensUsed }: ModelVerdict,
  ): Verdict {
    const { type, reasoning } = answer;
    const { opinion } = byRules(question);
    const isDoubtful = answer.confidence < thresholdOf(question.options);
    const confidence = isDoubtful ? agreedConfidence(answer.confidence, opinion[type]) : answer.confidence;
    const known = new Set(question.tools.map(({ name }) => name));
    const requiredTools = usesTools(type) ? answer.requiredTools.filter((name) => known.has(name)) : [];
    return {
      intent: { type, confidence, requiredTools, reasoning },
      opinion,
      modelUsed: model,
      answeredBy: 'model',
      metadata: { tokensUsed, retries },
    };
  }

  async function judge(query: string, options: ClassificationOptions, signal: AbortSignal): Promise<Verdict> {
    const providers = await ports.providers();
    const question = { query, options, tools: await ports.tools() };
    const resolved = providers.resolve(options.model);
    if (resolved.provider.name === 'builtin') return byRules(question);
    const asked = await withAttempts({ ...resolved, ...question, signal });
    return 'failure' in asked
      ? byRules(question, { fallback: asked.failure, retries: asked.retries })
      : withSecondOpinion(question, asked);
  }

  return {
    async classify(query, options, signal = new AbortController().signal) {
      const started = performance.now();
      const { intent, opinion, modelUsed, answeredBy, metadata } = await judge(query, options, signal);
      const { type, confidence, requiredTools, reasoning } = intent;
      const executionPlan = await planExecution(intent, answeredBy, ports.toolTimes);
      return {
        intent: {
          type,
          confidence,
          requiredTools,
          memoryContext: usesMemory(type),
          ...(options.includeReasoning === false ? {} : { reasoning }),
        },
        executionPlan,
        metadata: {
          classificationTime: Math.round((performance.now() - started) * 1_000) / 1_000,
          modelUsed,
          confidence,
          ...metadata,
          ...(confidence < thresholdOf(options)
            ? { lowConfidence: true, alternatives: alternativesTo(type, opinion) }
            : {}),
        },
      };
    },
  };
}

function thresholdOf({ confidenceThreshold = DEFAULTS.confidenceThreshold }: ClassificationOptions): number {
  return confidenceThreshold;
}
