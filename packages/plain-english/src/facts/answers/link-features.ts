import { spend } from '../../allowance';
import { common, type Features, put, putMax } from './features';
import { likenessOf } from './likeness';
import { relationOf } from './mention-features';
import type { Question } from './question';
import { CHANGE_SIGNS } from './signs';
import type { Mention, StoryClause } from './story';

/** A mention and how likely it is a value of what is asked, 0 to 1. */
export interface Weighed {
  readonly mention: Mention;
  readonly weight: number;
}

/** Mentions that others are compared with: the likeliest, and only likely ones. */
const MAX_LIKELY = 24;
const MIN_WEIGHT = 0.03;

/** Work of comparing one mention with one likely value. */
const PAIR_COST = 1;

/** The mentions that may be values, the likeliest first. */
export function likely(weighed: readonly Weighed[]): Weighed[] {
  return weighed
    .filter(({ weight }) => weight >= MIN_WEIGHT)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_LIKELY);
}

/**
 * What a mention is like in the light of the likely values: one that is like a value said before may take its place, above all where
 * its clause speaks of a change, or names the value that changes.
 * @param mentions those of the message
 */
export function linkFeatures(
  question: Question,
  mention: Mention,
  values: readonly Weighed[],
  mentions: readonly Mention[],
): Features {
  const features: Features = new Map();
  const gate = gateOf(question, mention.at);
  spend(PAIR_COST * values.length * (1 + mentions.length));
  for (const { mention: value, weight } of values) {
    if (value === mention) continue;
    if (common(mention.marks, value.marks) > 0) putMax(features, `${gate}said as value`, weight);
    else addLikeness(features, gate, mention, value, weight * likenessOf(mention, value));
  }
  for (const beside of mentions)
    if (beside !== mention && common(beside.marks, mention.marks) === 0)
      addBeside(features, gate, mention, beside, values);
  return features;
}

/** What is supposed or asked, and what is said of others, counts by itself. */
function gateOf(question: Question, at: StoryClause): string {
  if (at.signs.has('unreal') || at.asks) return 'unreal: ';
  const relation = relationOf(question, at);
  return relation === 'other' || relation === 'unknown' ? 'other: ' : '';
}

function addLikeness(features: Features, gate: string, mention: Mention, value: Mention, like: number): void {
  const { at } = mention;
  const max = (name: string): void => putMax(features, `${gate}${name}`, like);
  if (value.at.order > at.order) max('like later');
  else if (value.at === at) {
    max('like in clause');
    if (value.from < mention.from) max('like before it in clause');
  } else {
    max('like earlier');
    const signs = CHANGE_SIGNS.filter((name) => at.signs.has(name));
    if (signs.length > 0) max('like earlier, any change');
    for (const sign of signs) max(`like earlier, ${sign}`);
    if (at.verb === at.lowers.length) max('like earlier, fragment');
    if (value.at.message === at.message) max('like earlier in message');
    if (value.at.subject === at.subject) max('like earlier, same subject');
    if (value.lead === mention.lead) max('like earlier, same lead');
    if (value.at.action === at.action) max('like earlier, same verb');
  }
}

/** `I swapped my bike for a scooter`: a value said before stands beside the mention. */
function addBeside(
  features: Features,
  gate: string,
  mention: Mention,
  beside: Mention,
  values: readonly Weighed[],
): void {
  const { at } = mention;
  for (const { mention: value, weight } of values) {
    if (value.at.order >= beside.at.order || common(value.marks, beside.marks) === 0) continue;
    const like = weight * likenessOf(mention, value);
    if (beside.at === at) {
      putMax(features, `${gate}beside value`, like);
      putMax(features, `${gate}${beside.from < mention.from ? 'after value' : 'before value'}`, like);
    } else
      putMax(
        features,
        `${gate}${beside.at.order < at.order ? 'value earlier' : 'value later'} in message`,
        like,
      );
  }
}

/** How likely a mention is a value, as features of a second look. */
export function addWeight(features: Features, weight: number): void {
  put(features, 'weight', weight);
  put(features, 'log weight', Math.log(Math.max(MIN_LOGGED, weight)));
}

const MIN_LOGGED = 1e-4;
