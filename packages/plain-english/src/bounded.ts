/*
 * The readings that the face gives, each within the allowance of one reading. Where that is spent, a plan is refused, and what would
 * be an answer, a fact or a guess is left out as if the text had none.
 */
import { AllowanceSpent, measureReading } from './allowance';
import { PlainEnglishError } from './errors';
import * as facts from './facts/answers/answer';
import * as claims from './facts/claims';
import * as said from './facts/read-facts';
import * as planned from './plan/choose-tools';
import * as plans from './plan/understand';
import * as prompts from './prompts/answer';
import * as memories from './recall/answer';
import * as filling from './recall/fill';
import * as known from './recall/nothing-known';
import * as terms from './recall/recall-terms';
import * as talk from './recall/talk';
import * as json from './text/json-values';

const SETTINGS = ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'];
const TOO_MUCH = `${new AllowanceSpent().message} Write it shorter and plainer, or set ${SETTINGS.join(' or ')} for a language model.`;

/** Ends a reading as a refusal where its allowance is spent. */
const refusing = bounded(() => {
  throw new PlainEnglishError(TOO_MUCH, { field: 'query', message: TOO_MUCH, settings: SETTINGS });
});
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
export const understand = refusing(plans.understand);
export const answerPrompt = refusing(prompts.answerPrompt);
export const findJsonValues = refusing(json.findJsonValues);

export const answerFromMemories = leavingOut(memories.answerFromMemories);
export const answerFromFacts = leavingOut(facts.answerFromFacts);
export const readClaim = leavingOut(claims.readClaim);
export const replyToTalk = leavingOut(talk.replyToTalk);
export const readFacts = bounded((): ReturnType<typeof said.readFacts> => [])(said.readFacts);
export const recallTerms = bounded((): ReturnType<typeof terms.recallTerms> => [])(terms.recallTerms);
export const asksAboutUser = bounded(() => false)(known.asksAboutUser);
export const fillFromMemories = bounded((): filling.Filled => ({ query: undefined, reason: TOO_MUCH }))(
  filling.fillFromMemories,
);
