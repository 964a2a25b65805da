/*
 * The readings that the face gives, each within the allowance of one reading. If that is spent, a plan is refused, and what would
 * be an answer, a fact or a guess is left out as if the text had none.
 */
import { AllowanceSpent, measureReading } from './allowance';
import { isPlainEnglishError, PlainEnglishError } from './errors';
import * as facts from './memory/answer-facts';
import * as memories from './memory/answer-memories';
import type { RecalledText, SaidFact } from './memory/facts';
import * as claims from './memory/read-claim';
import * as sayings from './memory/read-facts';
import * as talk from './memory/talk';
import * as planned from './plan/choose-next';
import * as plans from './plan/understand';
import * as prompts from './prompts/answer';
import * as text from './text/tokenizer';

/** As much of a message as is read for facts, and of one memory and of all memories of a question, characters. */
const MAX_MESSAGE = 10_000;
const MAX_MEMORY = 4_000;
const MAX_TOLD = 40_000;
const SETTINGS = ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'];
const TOO_MUCH = `${new AllowanceSpent().message} Write it shorter and plainer, or set ${SETTINGS.join(' or ')} for a language model.`;

const REMEDY = `Without a language model only plain requests are read: ask for it more plainly, or set ${SETTINGS.join(' or ')}.`;

/** Ends a reading as a refusal if its allowance is spent, and says with each refusal what helps. */
function refusing<A extends readonly unknown[], T>(read: (...args: A) => T): (...args: A) => T {
  const within = bounded((): never => {
    throw new PlainEnglishError(TOO_MUCH, { field: 'query', message: TOO_MUCH, settings: SETTINGS });
  })(read);
  return (...args) => {
    try {
      return within(...args);
    } catch (error) {
      if (!isPlainEnglishError(error)) throw error;
      // A refusal that names what is missing already says what to add, and one that names the settings says enough.
      if (error.details['missing'] !== undefined || error.details['settings'] !== undefined) throw error;
      const message = `${error.message} ${REMEDY}`;
      throw new PlainEnglishError(message, { ...error.details, message, settings: SETTINGS });
    }
  };
}

const leavingOut = bounded(() => undefined);

/** Makes readings that give `instead` if their allowance is spent. */
function bounded<I>(instead: () => I) {
  return <A extends readonly unknown[], T>(read: (...args: A) => T) =>
    (...args: A): T | I => {
      const { result } = measureReading(() => read(...args));
      return result === undefined ? instead() : result.value;
    };
}

/** @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` as these do without an allowance, and if it is spent */
export const chooseNext = refusing(planned.chooseNext);
export const understand = refusing(plans.understand);
export const answerPrompt = refusing(prompts.answerPrompt);
export const findJsonValues = refusing(text.findJsonValues);

export const answerFromMemories = leavingOut((query: string, told: readonly RecalledText[], now: Date) =>
  memories.answerFromMemories(query, boundTogether(told), now),
);
export const answerFromFacts = leavingOut(facts.answerFromFacts);
export const readClaim = leavingOut(claims.readClaim);
export const replyToTalk = leavingOut(talk.replyToTalk);
export const readFacts = bounded((): SaidFact[] => [])(
  (message: string, holding: Parameters<typeof sayings.readFacts>[1]) =>
    sayings.readFacts(message.slice(0, MAX_MESSAGE), holding),
);
export const asksAboutUser = bounded(() => false)(talk.asksAboutUser);
/** Leaves out the least relevant memories if all are longer together than is read. */
function boundTogether(told: readonly RecalledText[]): readonly RecalledText[] {
  let left = MAX_TOLD;
  const byRelevance = told.toSorted((one, other) => other.relevance - one.relevance);
  const fitting = byRelevance.filter(({ text }) => (left -= Math.min(text.length, MAX_MEMORY)) >= 0);
  return told.filter((one) => fitting.includes(one));
}
