import type { ToolDescription } from '../types';
import { meaningOf } from '../arithmetic/lexicon';
import { isReadingMethod, isRequestVerb } from '../http/methods';
import { stem } from '../text/stem';
import { lowerAt, textOf, type TokenText } from '../text/token';
import { isStarter, verbsOf } from './clauses';
import { notUnderstood } from './problem';
import type { PlannedStep } from './step';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const NEGATORS = list("don't dont never not mustn't shouldn't needn't avoid refrain without");
/** What may stand between a denial and the verb that it denies. */
const BETWEEN = wordsTagged('between');
/** Words of calculations and requests that say nothing about doing when they are denied. */
const NO_ACTIONS = list("what whats what's how who is are minus plus given");
/** `can you not tell me`, `why not add`, `I cannot`: a request, or no more than a remark. */
const BEFORE_REQUEST = list('why can could would will did does');
/** `I don't get it`. */
const AFTER_GET = list('it this that how why what , . ? ! but');

/** What casts doubt on a whole request, wherever it stands. */
const DENIALS =
  /\b(?:can't|cannot|can not|mustn't|must not|shouldn't|should not|don't|do not|never|no need|stop)\b(?! forget)/;

/** A denied verb, and whether it may be part of a text to pass on, as a verb of action comes before it. */
export interface Negation {
  readonly text: string;
  readonly isValue: boolean;
}

/** The first verb of action that a sentence denies: `do not fetch …`. */
export function findNegation(text: TokenText, tools: readonly ToolDescription[]): Negation | undefined {
  const verbs = verbsOf(tools);
  const { tokens } = text;
  const first = tokens.findIndex((token) => token.kind === 'word' && isAction(token.lower, verbs));
  for (const [at, token] of tokens.entries()) {
    const isNegator = token.kind === 'word' && NEGATORS.has(token.lower);
    if (!isNegator || isRequest(text, at)) continue;
    const verb = deniedVerb(text, at, verbs);
    if (verb === undefined) continue;
    const follows = first !== -1 && first < at;
    return { text: textOf(text, at, verb + 1), isValue: follows };
  }
  return undefined;
}

function isRequest({ tokens }: TokenText, at: number): boolean {
  const before = lowerAt(tokens, at - 1);
  return (
    BEFORE_REQUEST.has(before) ||
    // `so we needn't download it` gives the purpose of a request.
    (/^(?:we|i|it|they)$/.test(before) && /^(?:so|that)$/.test(lowerAt(tokens, at - 2))) ||
    (before === 'you' && /^(?:can|could|would|will)$/.test(lowerAt(tokens, at - 2)))
  );
}

function deniedVerb({ tokens }: TokenText, at: number, verbs: ReadonlySet<string>): number | undefined {
  const isGerund = /^(?:avoid|refrain|without)$/.test(lowerAt(tokens, at));
  for (let next = at + 1; next < tokens.length; next++) {
    const token = tokens[next];
    if (token?.kind !== 'word') return undefined;
    const { lower } = token;
    if (lower === 'get' && AFTER_GET.has(tokens[next + 1]?.lower ?? ',')) return undefined;
    if (isAction(lower, verbs) && lower !== 'start' && lower !== 'try' && !NO_ACTIONS.has(lower))
      return isGerund && !lower.endsWith('ing') ? undefined : next;
    if (!BETWEEN.has(lower) && !/.ly$/.test(lower)) return undefined;
  }
  return undefined;
}

/** A verb of a built-in tool, of a calculation or of a registered tool, in any of its forms. */
function isAction(word: string, verbs: ReadonlySet<string>): boolean {
  if (NO_ACTIONS.has(word)) return false;
  const base = word.endsWith('ing') ? stem(word) : word;
  return [word, base, `${base}e`].some((form) => {
    const type = meaningOf(form)?.type;
    const isKnown = type === 'verb' || (type === 'unary' && !form.endsWith('d'));
    return (
      isKnown ||
      isRequestVerb(form) ||
      isStarter({ kind: 'word', text: form, lower: form, start: 0, end: 0 }, verbs)
    );
  });
}

/** @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` where a denial is no part of a text that the plan passes on */
export function refuseNegation(negation: Negation | undefined, steps: readonly PlannedStep[] = []): void {
  if (!negation) return;
  const written = negation.text.toLowerCase();
  const isKept =
    negation.isValue &&
    steps.some(({ args }) =>
      JSON.stringify(args).toLowerCase().includes(JSON.stringify(written).slice(1, -1)),
    );
  if (!isKept) throw notUnderstood('The text says what not to do.');
}

/**
 * A request that changes something elsewhere is not sent where any word outside of its values denies.
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD`
 */
export function refuseDoubtfulChange({ tokens }: TokenText, steps: readonly PlannedStep[]): void {
  const changes = steps.some(
    ({ toolName, args: { method = 'GET' } }) => toolName === 'api_call' && !isReadingMethod(method),
  );
  if (!changes) return;
  const said = tokens.filter(({ kind }, at) => kind === 'word' && tokens[at - 1]?.text !== '=');
  if (DENIALS.test(said.map(({ lower }) => lower).join(' ')))
    throw notUnderstood('It is not clear whether the text says what to do or what not to do.');
}
