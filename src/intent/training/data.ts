import { createHash } from 'node:crypto';
import { CUES } from '../cues';
import { extractFeatures, type FeatureSettings } from '../features';
import { isIntentType } from '../../contracts/intents';
import type { Fragments } from './compose';
import fragmentsFile from './fragments.json';
import moreFile from './more.json';
import type { Sentence, SentenceGroup } from './sentence';
import sentencesFile from './sentences.json';

interface GroupsFile {
  readonly groups: readonly {
    readonly id: string;
    readonly type: string;
    readonly previous?: readonly string[];
    readonly sentences: readonly string[];
  }[];
}

/** The labelled groups: the ones of sentences.json, on which methods are measured, and those of more.json. */
export const GROUPS: readonly SentenceGroup[] = readGroups(sentencesFile);
export const MORE_GROUPS: readonly SentenceGroup[] = readGroups(moreFile);
export const FRAGMENTS: Fragments = fragmentsFile;

function readGroups(file: GroupsFile): SentenceGroup[] {
  return file.groups.map(({ id, type, previous = [], sentences }) => {
    if (!isIntentType(type)) throw new RangeError(`Group ${id} has the unknown type ${type}.`);
    return { id, type, previous: previous.filter(isIntentType), sentences };
  });
}

/** The sentences of groups, each of weight 1. */
export function sentencesOf(groups: readonly SentenceGroup[]): Sentence[] {
  return groups.flatMap(({ id, type, previous = [], sentences }) =>
    sentences.map((query) => ({ query, type, previous, group: id, weight: 1 })),
  );
}

/** Every so many sentences, one has its features hashed. */
const SAMPLE = 20;

/**
 * A digest of the training data, the cues and what the features make of a sample: it changes with everything that
 * makes the stored weights stale, and takes a fraction of a second.
 */
export function trainingHash(settings: FeatureSettings): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([GROUPS, MORE_GROUPS, FRAGMENTS, settings, CUES.map(({ id }) => id)]));
  for (const [index, { query, previous }] of sentencesOf([...GROUPS, ...MORE_GROUPS]).entries()) {
    if (index % SAMPLE !== 0) continue;
    const { places, values } = extractFeatures(query, previous, settings);
    hash.update(JSON.stringify([[...places], [...values].map((value) => value.toFixed(6))]));
  }
  return hash.digest('hex');
}
