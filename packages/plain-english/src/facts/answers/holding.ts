import { common, type Features, put } from './features';
import { likenessOf } from './likeness';
import { addWeight } from './link-features';
import { addLead, addOwnSigns, ownerOf, relationOf } from './mention-features';
import type { Question } from './question';
import { SIGNS } from './signs';
import { addNothingStanding, addStanding, addWords } from './standing-features';
import type { Mention, StoryClause } from './story';
import type { Value } from './values';

const MIN_ODDS = 1e-3;

function isBefore(one: Mention, other: Mention): boolean {
  return one.at.order < other.at.order || (one.at === other.at && one.from < other.from);
}

/** The share of the question's topics that the clause of a value has. */
function coverOf({ topics }: Question, { best }: Value): number {
  return common(topics, best.at.topics) / Math.max(1, topics.size);
}

/** What speaks for a value that it is the one that holds: how likely it is one, what was said after it, and how it was said last. */
export function valueFeatures(
  question: Question,
  value: Value,
  values: readonly Value[],
  clauses: readonly StoryClause[],
): Features {
  const features: Features = new Map();
  const { weight, best, last, mentions, recalled } = value;
  addWeight(features, weight);
  put(features, 'relative weight', weight / Math.max(...values.map((one) => one.weight)));
  const odds = Math.min(1 - MIN_ODDS, Math.max(MIN_ODDS, weight));
  put(features, 'odds', Math.log(odds / (1 - odds)));
  put(features, 'recalled', recalled);
  put(features, 'cover', coverOf(question, value));
  put(
    features,
    'cover below',
    Math.max(...values.map((one) => coverOf(question, one))) - coverOf(question, value),
  );
  const owner = ownerOf(question);
  put(features, `best ${owner} ${relationOf(question, best.at)}`, 1);
  put(features, `last ${owner} ${relationOf(question, last.at)}`, 1);
  put(features, 'best unreal', best.at.signs.has('unreal'));
  put(features, 'said again', mentions.length > 1);
  put(features, 'last is best', last === best);
  put(features, 'last before verb', last.from < last.at.verb && last.at.verb < last.at.lowers.length);
  put(features, `last article ${last.article}`, 1);
  addLead(features, last, 'last ');
  addOwnSigns(features, last, 'last ');
  addRivals(features, question, value, values);
  addSince(features, question, last, clauses);
  addStanding(features, question, value, values, clauses);
  addWords(features, value, clauses);
  return features;
}

function addRivals(features: Features, question: Question, value: Value, values: readonly Value[]): void {
  const { best, last, mentions, recalled } = value;
  const first = mentions[0] ?? best;
  const max = {
    later: 0,
    laterLike: 0,
    laterNew: 0,
    laterInClause: 0,
    laterCovering: 0,
    earlier: 0,
    between: 0,
  };
  const keep = (name: keyof typeof max, weight: number): void => {
    max[name] = Math.max(max[name], weight);
  };
  for (const other of values) {
    if (other === value) continue;
    const like = other.weight * likenessOf(best, other.best);
    if (isBefore(last, other.last)) {
      keep('later', other.weight);
      keep('laterLike', like);
      keep('laterCovering', like * coverOf(question, other));
      if (isBefore(last, other.mentions[0] ?? other.best)) keep('laterNew', like);
      if (other.last.at === last.at) keep('laterInClause', like);
    } else keep('earlier', like);
    if (isBefore(first, other.best) && isBefore(other.best, last)) keep('between', like);
  }
  const tense = question.isPast ? 'past: ' : '';
  for (const [name, weight] of Object.entries(max)) put(features, `${tense}${name}`, weight);
  put(features, `${tense}earlier, last real`, last.at.signs.has('unreal') || last.at.asks ? 0 : max.earlier);
  put(features, 'between, back', last.at.signs.has('back') ? max.between : 0);
  put(features, 'recalled, laterLike', recalled ? max.laterLike : 0);
  put(features, 'recalled, laterNew', recalled ? max.laterNew : 0);
  put(features, 'not recalled, earlier', recalled ? 0 : max.earlier);
}

/** What was said after the last mention of a value. */
function addSince(
  features: Features,
  { topics }: Question,
  { at }: Mention,
  clauses: readonly StoryClause[],
): void {
  const since = clauses.slice(at.order + 1);
  const isOnTopic = (one: StoryClause): boolean => common(topics, one.topics) > 0;
  put(
    features,
    'ended since in message',
    since.some((one) => one.message === at.message && one.signs.has('ended')),
  );
  const isTakenBack = ({ signs, message }: StoryClause): boolean =>
    signs.has('takenBack') || (signs.has('corrected') && message - at.message <= 1);
  put(features, 'corrected since', since.some(isTakenBack));
  put(
    features,
    'topic ended since',
    since.some((one) => one.signs.has('ended') && isOnTopic(one)),
  );
  const isChange = ({ signs }: StoryClause): boolean => signs.has('now') || signs.has('changed');
  put(
    features,
    'topic changed since',
    since.some((one) => isChange(one) && isOnTopic(one)),
  );
}

/** What speaks for it that no value holds. */
export function nothingFeatures(
  question: Question,
  values: readonly Value[],
  clauses: readonly StoryClause[],
): Features {
  const features: Features = new Map();
  const [best] = values;
  const own = (name: string, value: number | boolean): void => put(features, `nothing: ${name}`, value);
  own('always', 1);
  own('weight', best?.weight ?? 0);
  own('log weight', Math.log(Math.max(MIN_ODDS, 1 - (best?.weight ?? 0))));
  const about = clauses.filter((one) => !one.asks && common(question.topics, one.topics) > 0);
  own('topics', about.length > 0);
  own(
    'topic ended',
    about.some(({ signs }) => signs.has('ended')),
  );
  own(
    'topic unreal',
    about.some(({ signs }) => signs.has('unreal')),
  );
  own('subject absent', !clauses.some((one) => relationOf(question, one) === 'same'));
  addNothingStanding(features, question, values, clauses);
  if (!best) return features;
  const { signs } = best.last.at;
  for (const name of SIGNS) own(`best ${name}`, signs.has(name));
  own('best said again', best.mentions.length > 1);
  own('best said again, ended', best.mentions.length > 1 && signs.has('ended'));
  return features;
}
