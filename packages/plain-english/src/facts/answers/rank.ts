import { answerFromMemories } from '../../recall/answer';
import type { MemoryAnswer, RecalledText } from '../../recall/types';
import { conceptOf } from '../../recall/words';
import { type Features, put, shareOf, type Weights } from './features';
import { nothingFeatures, valueFeatures } from './holding';
import { addWeight, likely, linkFeatures, type Weighed } from './link-features';
import { mentionFeatures } from './mention-features';
import { type Question, readQuestion } from './question';
import { type Mention, readStory, type Story } from './story';
import { sharesOf, type Tree } from './trees';
import { type Value, valuesOf } from './values';

/** The weights of the three looks. */
export interface Model {
  /** Whether a mention was ever a value of what is asked, by itself. */
  readonly values: Weights;
  /** The same, in the light of the other likely values. */
  readonly links: Weights;
  /** Which of the values holds, or that none does. */
  readonly holds: Weights;
  readonly trees: readonly Tree[];
}

/** A question and what was said, with what each mention is like by itself. */
export interface Case {
  readonly question: Question;
  readonly story: Story;
  readonly mentions: readonly Mention[];
  readonly features: readonly Features[];
  /** What the plain search of memories answers. */
  readonly recalled: MemoryAnswer | undefined;
}

/** Undefined where no value can answer the question. */
export function readCase(query: string, messages: readonly RecalledText[], now: Date): Case | undefined {
  const question = readQuestion(query);
  if (!question) return undefined;
  const story = readStory(messages);
  const recalled = answerFromMemories(query, messages, now);
  const asked = new Set(question.lowers.map(conceptOf));
  // What the question itself names is no answer, but a number may be said of two things.
  const mentions = story.mentions.filter(
    ({ marks, kind }) => kind === 'number' || ![...marks].every((mark) => asked.has(mark)),
  );
  const features = mentions.map((mention) => {
    const found = mentionFeatures(question, mention, story.clauses);
    const isRecalled =
      recalled?.sourceIds.includes(messages[mention.at.message]?.id ?? '') === true &&
      recalled.text.toLowerCase().includes(mention.text.toLowerCase());
    put(found, 'recalled', isRecalled);
    put(found, 'recalled, kind asked', isRecalled && found.has('is kind asked'));
    put(found, 'recalled, topic near', isRecalled && found.has('topic near'));
    put(found, 'not recalled', recalled !== undefined && !isRecalled);
    return found;
  });
  return { question, story, mentions, features, recalled };
}

/** The weights of mentions by themselves. */
export function weighAlone({ features }: Case, weights: Weights): number[] {
  return features.map((one) => shareOf(one, weights));
}

/** Features of the second look. */
export function linkedFeatures({ question, mentions, features }: Case, alone: readonly number[]): Features[] {
  const values = likely(weigh(mentions, alone));
  const byMessage = new Map<number, Mention[]>();
  for (const mention of mentions) {
    const others = byMessage.get(mention.at.message);
    if (others) others.push(mention);
    else byMessage.set(mention.at.message, [mention]);
  }
  return mentions.map((mention, at) => {
    const beside = byMessage.get(mention.at.message) ?? [];
    const found = new Map([...(features[at] ?? []), ...linkFeatures(question, mention, values, beside)]);
    addWeight(found, alone[at] ?? 0);
    return found;
  });
}

function weigh(mentions: readonly Mention[], weights: readonly number[]): Weighed[] {
  return mentions.map((mention, at) => ({ mention, weight: weights[at] ?? 0 }));
}

/** The values, and the features of the third look: one more than there are values, the last for none of them. */
export function heldFeatures(
  { question, story, mentions, features }: Case,
  linked: readonly number[],
): { readonly values: readonly Value[]; readonly features: readonly Features[] } {
  const recalled = new Set(mentions.filter((_, at) => features[at]?.has('recalled')));
  const values = valuesOf(weigh(mentions, linked), recalled);
  const held = values.map((value) => valueFeatures(question, value, values, story.clauses));
  return { values, features: [...held, nothingFeatures(question, values, story.clauses)] };
}

/** The likeliest value, undefined where it is likeliest that none holds, all values, and how likely that one is. */
export function judge(
  read: Case,
  model: Model,
): { readonly value: Value | undefined; readonly values: readonly Value[]; readonly share: number } {
  const linked = linkedFeatures(read, weighAlone(read, model.values)).map((one) => shareOf(one, model.links));
  const { values, features } = heldFeatures(read, linked);
  const shares = sharesOf(features, model.holds, model.trees);
  const share = Math.max(...shares);
  return { value: values[shares.indexOf(share)], values, share };
}
