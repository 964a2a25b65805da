import type { LongConversation } from './dataset';

/** What a search found for a question: indexes of turns, best first. */
export interface Found {
  readonly conversation: LongConversation;
  readonly question: LongConversation['questions'][number];
  readonly turns: readonly number[];
}

interface Judged {
  /** The share of the answering turns that were found, 0 to 1. */
  readonly recall: number;
  /** 1 if at least one was found. */
  readonly hit: number;
  /** The reciprocal rank of the first, 0 if none was found. */
  readonly mrr: number;
  /** 1 if an answering session is among the first five different ones. */
  readonly sessionRecall: number;
}

/** Means over questions. */
export interface Summary extends Judged {
  /** The recall by category of question. */
  readonly byCategory: Readonly<Record<string, number>>;
}

const SESSIONS = 5;

export function summarise(found: readonly Found[]): Summary {
  // A question whose answer is in no turn cannot be found.
  const judged = found
    .filter((each) => evidenceOf(each).size > 0)
    .map((each) => ({ ...judge(each), category: String(each.question.category) }));
  const mean = (of: readonly Judged[], figure: keyof Judged): number =>
    of.reduce((sum, each) => sum + each[figure], 0) / of.length;
  const categories = [...new Set(judged.map(({ category }) => category))].sort();
  return {
    recall: mean(judged, 'recall'),
    hit: mean(judged, 'hit'),
    mrr: mean(judged, 'mrr'),
    sessionRecall: mean(judged, 'sessionRecall'),
    byCategory: Object.fromEntries(
      categories.map((category) => [
        category,
        mean(
          judged.filter((each) => each.category === category),
          'recall',
        ),
      ]),
    ),
  };
}

/** Judges what was found for one question. */
export function judge(found: Found): Judged {
  const evidence = evidenceOf(found);
  const { turns, conversation } = found;
  const first = turns.findIndex((turn) => evidence.has(turn));
  const sessionOf = (turn: number): number | undefined => conversation.turns[turn]?.session;
  const sessions = new Set([...new Set(turns.map(sessionOf))].slice(0, SESSIONS));
  return {
    recall: turns.filter((turn) => evidence.has(turn)).length / evidence.size,
    hit: first === -1 ? 0 : 1,
    mrr: first === -1 ? 0 : 1 / (first + 1),
    sessionRecall: [...evidence].some((turn) => sessions.has(sessionOf(turn))) ? 1 : 0,
  };
}

function evidenceOf({ conversation, question }: Found): Set<number> {
  const at = question.evidence.map((id) => conversation.turns.findIndex((turn) => turn.id === id));
  return new Set(at.filter((index) => index !== -1));
}
