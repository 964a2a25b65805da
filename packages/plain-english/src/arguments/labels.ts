import { setOf } from '../text/lexicon/words';
import { onceFor } from '../text/once-for';
import { wordsOf } from '../text/stem';
import { ARTICLES, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { plainStem, type Slot } from './slots';
import { MAX_TOKENS } from './spans';
import { isToolWord, type View } from './view';
import vocabulary from './vocabulary.json';

/** Words that announce the value of a parameter: `priority: low`, `tag number TG448120`, `titled "X"`. */
export interface Label {
  readonly slot: Slot;
  readonly from: number;
  /** First token of the value. */
  readonly value: number;
  /** 3: with a colon; 2: with `is` or as a verb such as `called`; 1: next to the value. */
  readonly strength: number;
}

/** Words that announce values of a kind whatever the parameter is called. */
const OF_KIND = new Map(
  Object.entries(vocabulary['labels of kinds']).map(([kind, words]) => [kind, setOf(words)]),
);
const VERBS = setOf(
  'titled called named entitled saying says because reading reads say labelled labeled assigned tagged topped',
);
const ALIKE = vocabulary.labels.map(setOf);
/** Words between a label and its value. */
const LINKS = setOf(
  ': = is are was of as being be should to number no nr name it with says the my a an code #',
);

/** Before a text to pass on, whose own first words may be `the` or `it`. */
const PROSE_LINKS = setOf(': = is are was of being be reads says');

/** Every label in a text, in order. */
export const labelsIn = onceFor((view: View): readonly Label[] => {
  const labels: Label[] = [];
  for (let at = 0; at < Math.min(view.tokens.length, MAX_TOKENS); at++) {
    const words = wordsOf(view.tokens[at]?.text ?? '');
    if (view.tokens[at]?.kind !== 'word') continue;
    for (const slot of view.slots) {
      const end = labelEnd(view, at, words, slot);
      const label = end === undefined ? undefined : announce(view, slot, at, end);
      if (label) labels.push(label);
    }
  }
  return labels;
});

/** The end of a label that starts here: the parameter's whole name, its last word, or a word for its kind. */
function labelEnd(view: View, at: number, words: readonly string[], slot: Slot): number | undefined {
  const whole = wholeName(view.tokens, at, words, slot.nameWords);
  if (whole !== undefined) return whole;
  const lower = view.tokens[at]?.lower ?? '';
  const head = slot.nameWords.at(-1) ?? '';
  const isShared = (word: string): boolean =>
    view.slots.some((other) => other !== slot && other.nameWords.includes(word));
  const isHead =
    sameWord(lower, head) &&
    !(
      head === 'name' &&
      view.slots.some((other) => other !== slot && other.kinds.has('person')) &&
      !slot.kinds.has('person')
    );
  if (isHead) return at + 1;
  const isOwn = slot.nameWords.some(
    (word) => word.length > 2 && sameWord(lower, word) && !isShared(word) && !isToolWord(view, word),
  );
  if (isOwn || ALIKE.some((group) => group.has(head) && group.has(lower))) return at + 1;
  return [...slot.kinds].some((kind) => OF_KIND.get(kind)?.has(lower)) ? at + 1 : undefined;
}

function sameWord(written: string, wanted: string): boolean {
  return (
    written === wanted ||
    (wanted.length > 3 && plainStem(written) === plainStem(wanted) && !written.endsWith('ing'))
  );
}

function wholeName(
  tokens: readonly Token[],
  at: number,
  words: readonly string[],
  name: readonly string[],
): number | undefined {
  const said = [...words];
  let end = at + 1;
  while (said.length < name.length && tokens[end]?.kind === 'word')
    said.push(...wordsOf(tokens[end++]?.text ?? ''));
  return said.length === name.length && said.join(' ') === name.join(' ') ? end : undefined;
}

function announce({ tokens }: View, slot: Slot, from: number, end: number): Label | undefined {
  // `for the HR department: …`: the label stands behind its value.
  const before = tokens[from - 1];
  if (
    before?.kind === 'word' &&
    !STOP_WORDS.has(before.lower) &&
    ARTICLES.has(tokens[from - 2]?.lower ?? '') &&
    tokens[end]?.text === ':'
  )
    return undefined;
  const isProse = slot.kinds.has('prose');
  let value = end;
  let strength = VERBS.has(tokens[from]?.lower ?? '') ? 2 : 1;
  while (
    value < tokens.length &&
    value < end + 4 &&
    (isProse ? PROSE_LINKS : LINKS).has(tokens[value]?.lower ?? '')
  ) {
    const { lower = '' } = tokens[value] ?? {};
    if (lower === ':' || lower === '=') strength = 3;
    else if (/^(?:is|are|was|being|be|says|as)$/.test(lower)) strength = Math.max(2, strength);
    value++;
  }
  const first = tokens[value];
  if (!first || /^[,.;!?]$/.test(first.text)) return undefined;
  return { slot, from, value, strength };
}

/** The label whose value starts at a token. */
export function labelOf(view: View, slot: Slot, at: number): Label | undefined {
  const found = labelsIn(view).filter((label) => label.slot === slot && label.value === at);
  return found.sort((one, other) => other.strength - one.strength || one.from - other.from)[0];
}
