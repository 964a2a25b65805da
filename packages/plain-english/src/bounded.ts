/*
 * The readings that the face gives, each within the allowance of one reading. Where that is spent, a plan is refused, and what would
 * be an answer, a fact or a guess is left out as if the text had none.
 */
import { AllowanceSpent, measureReading } from './allowance';
import { isPlainEnglishError, PlainEnglishError } from './errors';
import * as facts from './facts/answers/answer';
import * as claims from './facts/claims';
import * as said from './facts/read-facts';
import type { FactAnswer, KnownFact, SaidFact } from './facts/types';
import * as planned from './plan/choose-tools';
import type { StepOutput } from './plan/resolve-step';
import * as plans from './plan/understand';
import * as prompts from './prompts/answer';
import * as memories from './recall/answer';
import * as filling from './recall/fill';
import type { Filled } from './recall/fill';
import * as known from './recall/nothing-known';
import * as terms from './recall/recall-terms';
import * as talk from './recall/talk';
import type { MemoryAnswer, RecalledText } from './recall/types';
import * as json from './text/json-values';
import type { ToolDescription } from './types';

/** As much of a message as is read for facts, and of one memory and of all memories of a question, characters. */
const MAX_MESSAGE = 10_000;
const MAX_MEMORY = 4_000;
const MAX_TOLD = 40_000;
const SETTINGS = ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'];
const TOO_MUCH = `${new AllowanceSpent().message} Write it shorter and plainer, or set ${SETTINGS.join(' or ')} for a language model.`;

const REMEDY = `Without a language model only plain requests are read: ask for it more plainly, or set ${SETTINGS.join(' or ')}.`;

/** Ends a reading as a refusal where its allowance is spent, and says with each refusal what helps. */
function refusing<A extends readonly unknown[], T>(read: (...args: A) => T): (...args: A) => T {
  const within = bounded((): never => {
    throw new PlainEnglishError(TOO_MUCH, { field: 'query', message: TOO_MUCH, settings: SETTINGS });
  })(read);
  return (...args) => {
    try {
      return within(...args);
    } catch (error) {
      throw isPlainEnglishError(error) ? withRemedy(error) : error;
    }
  };
}

/** A refusal that names what is missing already says what to add, and one that names the settings says enough. */
function withRemedy(error: PlainEnglishError): PlainEnglishError {
  if (error.details['missing'] !== undefined || error.details['settings'] !== undefined) return error;
  const message = `${error.message} ${REMEDY}`;
  return new PlainEnglishError(message, { ...error.details, message, settings: SETTINGS });
}

const leavingOut = bounded(() => undefined);

/** Makes readings that give `instead` where their allowance is spent. */
function bounded<I>(instead: () => I) {
  return <A extends readonly unknown[], T>(read: (...args: A) => T) =>
    (...args: A): T | I => {
      const { result } = measureReading(() => read(...args));
      return result === undefined ? instead() : result.value;
    };
}

/** @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` as these do without an allowance, and where it is spent */
export const chooseNext = refusing(planned.chooseNext);
export const understand = refusing(
  (query: string, tools: readonly ToolDescription[], outputs: readonly StepOutput[] = []): plans.Plan =>
    plans.understand(query, tools, outputs),
);
export const answerPrompt = refusing(prompts.answerPrompt);
export const findJsonValues = refusing(json.findJsonValues);

export const answerFromMemories = leavingOut(
  (query: string, told: readonly RecalledText[], now: Date): MemoryAnswer | undefined =>
    memories.answerFromMemories(query, boundTogether(told), now),
);
export const answerFromFacts = leavingOut(
  (...[query, known, told, ...rest]: Parameters<typeof facts.answerFromFacts>): FactAnswer | undefined =>
    facts.answerFromFacts(query, known, boundTogether(told), ...rest),
);
export const readClaim = leavingOut(claims.readClaim);
export const replyToTalk = leavingOut(talk.replyToTalk);
export const readFacts = bounded((): SaidFact[] => [])((message: string, holding: readonly KnownFact[]) =>
  said.readFacts(message.slice(0, MAX_MESSAGE), holding),
);
export const recallTerms = bounded((): readonly string[] => [])(terms.recallTerms);
export const asksAboutUser = bounded(() => false)(known.asksAboutUser);
export const fillFromMemories = bounded((): Filled => ({ query: undefined, reason: TOO_MUCH }))(
  (query: string, told: readonly RecalledText[], now: Date) =>
    filling.fillFromMemories(query, boundTogether(told), now),
);

/** Leaves out the least relevant memories where all are longer together than is read. */
function boundTogether(told: readonly RecalledText[]): readonly RecalledText[] {
  let left = MAX_TOLD;
  const kept = new Set(
    [...told]
      .sort((one, other) => other.relevance - one.relevance)
      .filter(({ text }) => (left -= Math.min(text.length, MAX_MEMORY)) >= 0),
  );
  return told.filter((one) => kept.has(one));
}
