import { INTENT_TYPES, type IntentType } from '../src/intents/intent-types';
import { pick, seededRandom } from './random';
import type { Sentence } from './sentence';

type Frames = Readonly<Record<string, readonly string[]>>;

/** Pieces of sentences; the same kinds (money, date, place…) in `kept`, `given` and `work`. */
export interface Fragments {
  readonly stories: readonly string[];
  readonly joints: readonly string[];
  readonly recall: readonly string[];
  readonly kept: Frames;
  readonly given: Frames;
  readonly work: Frames;
  /** Short sentences that only the intent before gives a meaning. */
  readonly followUps: Readonly<Record<FollowUp, readonly string[]>>;
}

type FollowUp = 'work' | 'given' | 'own' | 'chat' | 'aside' | 'learn' | 'recall' | 'state';

/** What is said of the same things in different intents, so that it is the frame that tells them apart. */
export type Themes = readonly {
  readonly type: IntentType;
  readonly frames: readonly string[];
  readonly parts: readonly string[];
}[];

export interface ComposeOptions {
  readonly seed: number;
  /** Sentences put together for each of the three types that differ in what is worked on. */
  readonly perType: number;
  readonly composedWeight: number;
  /** Sentences of each frame of a theme. */
  readonly perFrame: number;
  readonly themeWeight: number;
  /** The share of the sentences that are repeated with a story before them. */
  readonly storyShare: number;
  readonly storyWeight: number;
}

/**
 * Sentences put together from pieces. What parts tool_execution, memory_chat and hybrid is not the words but which
 * parts meet: work on what is given, a question for what is kept, work on what is kept. Crossing the parts shows
 * that, and leaves to the written sentences how people really say it.
 */
export function composeSentences(fragments: Fragments, options: ComposeOptions): Sentence[] {
  const random = seededRandom(options.seed);
  const kinds = Object.keys(fragments.work);
  const fill = (frames: readonly string[], parts: readonly string[]): string => {
    const frame = pick(random, frames);
    const at = frame.lastIndexOf('{}');
    return `${frame.slice(0, at)}${pick(random, parts)}${frame.slice(at + 2)}`;
  };
  const made: Sentence[] = [];
  const add = (type: IntentType, query: string): void => {
    made.push({ query, type, previous: [], group: 'composed', weight: options.composedWeight });
  };
  for (let turn = 0; turn < options.perType; turn += 1) {
    const kind = pick(random, kinds);
    const kept = fragments.kept[kind] ?? [];
    add('tool_execution', fill(fragments.work[kind] ?? [], fragments.given[kind] ?? []));
    add('hybrid', fill(fragments.work[kind] ?? [], kept));
    add('memory_chat', fill(fragments.recall, kept));
  }
  return [...made, ...followUps(fragments, options)];
}

/** Sentences of the themes: as many of each frame, whatever the length of the list that fills it. */
export function composeThemes(themes: Themes, options: ComposeOptions): Sentence[] {
  const random = seededRandom(options.seed + 2);
  return themes.flatMap(({ type, frames, parts }) =>
    frames.flatMap((frame) =>
      Array.from({ length: options.perFrame }, () => ({
        query: frame.replace('{}', pick(random, parts)),
        type,
        previous: [],
        group: 'composed',
        weight: options.themeWeight,
      })),
    ),
  );
}

/** What a follow-up is after each intent: work stays work, and is hybrid where it is done on something remembered. */
const AFTER: Readonly<Record<FollowUp, readonly (readonly [IntentType, IntentType])[]>> = {
  work: [
    ['tool_execution', 'tool_execution'],
    ['memory_chat', 'hybrid'],
    ['hybrid', 'hybrid'],
  ],
  given: INTENT_TYPES.map((before) => [before, 'tool_execution'] as const),
  own: [
    ['tool_execution', 'hybrid'],
    ['hybrid', 'hybrid'],
    ['knowledge_search', 'hybrid'],
  ],
  aside: INTENT_TYPES.map((before) => [before, 'conversation'] as const),
  chat: INTENT_TYPES.map((before) => [before, 'conversation'] as const),
  learn: [
    ['knowledge_search', 'knowledge_search'],
    ['conversation', 'knowledge_search'],
    ['tool_execution', 'knowledge_search'],
  ],
  recall: [['memory_chat', 'memory_chat']],
  state: INTENT_TYPES.map((before) => [before, 'memory_chat'] as const),
};

function followUps(fragments: Fragments, { composedWeight }: ComposeOptions): Sentence[] {
  return (Object.keys(AFTER) as FollowUp[]).flatMap((kind) =>
    fragments.followUps[kind].flatMap((query) =>
      AFTER[kind].map(([before, type]) => ({
        query,
        type,
        previous: [before],
        group: 'composed',
        weight: composedWeight,
      })),
    ),
  );
}

/** Sentences of training with an irrelevant story before them; what they ask for stays what it was. */
export function tellStories(
  sentences: readonly Sentence[],
  fragments: Fragments,
  options: ComposeOptions,
): Sentence[] {
  const random = seededRandom(options.seed + 1);
  return sentences.flatMap((sentence) => {
    const chosen = random() < options.storyShare;
    const first = pick(random, fragments.stories);
    const second = pick(random, fragments.stories);
    const joint = pick(random, fragments.joints);
    const story = random() < 0.5 ? first : `${first}, ${second}`;
    if (!chosen || sentence.previous.length > 0 || sentence.query.length > 90) return [];
    return [
      {
        ...sentence,
        query: `${story}${joint}${sentence.query}`,
        weight: sentence.weight * options.storyWeight,
      },
    ];
  });
}
