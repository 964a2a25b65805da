import { createHash } from 'node:crypto';
import { CUES } from '../src/intents/cues';
import { extractFeatures, type FeatureSettings } from '../src/intents/features';
import { isIntentType } from '../src/intents/intent-types';
import type { Fragments, Themes } from './compose';
import type { Sentence, SentenceGroup } from './sentence';
import fragmentsFile from './sentences/fragments.json';
import firstFile from './sentences/paraphrases-first.json';
import secondFile from './sentences/paraphrases-second.json';
import thirdFile from './sentences/paraphrases-third.json';
import themesFile from './sentences/themes.json';

interface GroupsFile {
  readonly groups: readonly {
    readonly id: string;
    readonly type: string;
    readonly previous?: readonly string[];
    readonly sentences: readonly string[];
  }[];
}

/** Paraphrases written along with the features, in part after looking at mistakes. */
export const OWN_GROUPS: readonly SentenceGroup[] = [...readGroups(firstFile), ...readGroups(secondFile)];
/** Paraphrases written without sight of the features and of the other sentences. */
export const FOREIGN_GROUPS: readonly SentenceGroup[] = readGroups(thirdFile);
export const GROUPS: readonly SentenceGroup[] = [...OWN_GROUPS, ...FOREIGN_GROUPS];
export const FRAGMENTS: Fragments = fragmentsFile;
export const THEMES: Themes = readThemes(themesFile);

function readGroups(file: GroupsFile): SentenceGroup[] {
  return file.groups.map(({ id, type, previous = [], sentences }) => {
    if (!isIntentType(type)) throw new RangeError(`Group ${id} has the unknown type ${type}.`);
    return { id, type, previous: previous.filter(isIntentType), sentences };
  });
}

function readThemes({ lists, themes }: typeof themesFile): Themes {
  const named: Readonly<Record<string, readonly string[]>> = lists;
  return themes.map(({ type, of, frames }) => {
    if (!isIntentType(type)) throw new RangeError(`A theme has the unknown type ${type}.`);
    return { type, parts: named[of] ?? [], frames };
  });
}

/** The sentences of groups, each of weight 1. */
export function sentencesOf(groups: readonly SentenceGroup[]): Sentence[] {
  return groups.flatMap(({ id, type, previous = [], sentences }) =>
    sentences.map((query) => ({ query, type, previous, group: id, weight: 1 })),
  );
}

/** One of this number of sentences has its features hashed. */
const SAMPLE = 20;

/**
 * A digest of the training data, the cues and what the features make of a sample: it changes with everything that
 * makes the stored weights stale, and takes a fraction of a second.
 */
export function trainingHash(settings: FeatureSettings): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([GROUPS, FRAGMENTS, THEMES, settings, CUES.map(({ id }) => id)]));
  for (const [index, { query, previous }] of sentencesOf(GROUPS).entries()) {
    if (index % SAMPLE !== 0) continue;
    const { places, values } = extractFeatures(query, previous, settings);
    hash.update(JSON.stringify([[...places], [...values].map((value) => value.toFixed(6))]));
  }
  return hash.digest('hex');
}
