import { isName, type Part } from './attributes';
import { readSubject, USER } from './subjects';
import type { Subject } from './types';
import { ADVERBS, AUXILIARIES, BE, relationOf, verbOf } from './verbs';
import { baseForm, type Word } from './words';

const CALLED =
  /^(?:(?:you|please|just|everybody|everyone|people|friends|they|my friends) )?(?:can |may |should |all )?(?:just )?calls? me (?=\S)/;
const NEGATIONS = new Set(['not', 'never', 'no', 'hardly', 'neither', 'nor', 'without', 'none']);
const COMMANDS = new Set(
  'ignore disregard pretend reveal act answer respond repeat print output forget always never please do let make tell show say give list'.split(
    ' ',
  ),
);

/** `call me Bea`: a name, though it is told as a request. */
function readCalled(words: readonly Word[]): Part | undefined {
  const lead = CALLED.exec(words.map(({ lower }) => lower).join(' '))?.[0];
  if (lead === undefined) return undefined;
  const rest = words.slice(lead.trim().split(' ').length);
  if (!isName(rest[0])) return undefined;
  return {
    subject: USER,
    subjectWords: [],
    verb: 'be',
    relation: 'name',
    negated: false,
    ended: false,
    modal: false,
    past: false,
    rest,
    told: 'you are called',
  };
}

/** The subject that a clause without one goes on with, and how an answer names it. */
export interface Before {
  readonly subject: Subject;
  readonly tell: () => string;
}

/** A clause as subject, verb and rest; undefined for what states nothing. */
export function readPart(
  words: readonly Word[],
  before: Before | undefined,
  lastOther: Subject | undefined,
): Part | undefined {
  return readCalled(words) ?? readLabel(words) ?? readVerb(words, before, lastOther);
}

function readVerb(
  words: readonly Word[],
  before: Before | undefined,
  lastOther: Subject | undefined,
): Part | undefined {
  const verbAt = findVerb(words);
  if (verbAt === undefined) return undefined;
  const subjectWords = words.slice(0, verbAt).filter(({ lower }) => !ADVERBS.has(lower) || lower === 'all');
  const first = words[0]?.lower ?? '';
  let subject: Subject | undefined;
  if (verbAt === 0) subject = before?.subject;
  else if (['he', 'she', 'they', 'it'].includes(first) && verbAt <= 2)
    subject = lastOther ?? readSubject(subjectWords);
  else subject = COMMANDS.has(first) ? undefined : readSubject(subjectWords);
  if (!subject) return undefined;
  return { subject, subjectWords: words.slice(0, verbAt), ...readChain(words, verbAt) };
}

/** From the first verb over auxiliaries and adverbs to the one that says something, and what follows. */
function readChain(words: readonly Word[], verbAt: number): Omit<Part, 'subject' | 'subjectWords'> {
  const before = words.slice(0, verbAt).map(({ lower }) => lower);
  let at = verbAt;
  let verb = words[at]?.lower ?? '';
  let negated = before.some((lower) => NEGATIONS.has(lower));
  let ended = before.join(' ').endsWith('no longer');
  let wish = false;
  let rather = before.includes('rather');
  let modal = false;
  for (;;) {
    let next = at + 1;
    let denied = false;
    for (; next < words.length; next++) {
      const lower = words[next]?.lower ?? '';
      if (lower === 'no' && words[next + 1]?.lower === 'longer') {
        ended = true;
        next += 1;
      } else if (lower === 'not' || lower === 'never') denied = true;
      else if (!ADVERBS.has(lower)) break;
      if (lower === 'rather') rather = true;
    }
    negated ||= denied;
    if (verb === 'used' && words[next]?.lower === 'to' && next === at + 1) {
      ended = true;
      next += 1;
    } else if (!isChainable(verb, words[next]?.lower)) {
      // `am not vegetarian` goes on after the denial.
      if (denied) at = next - 1;
      break;
    }
    wish ||= verb === 'would';
    modal ||= MODAL.has(verb);
    at = next;
    verb = words[at]?.lower ?? '';
  }
  const rest = words.slice(at + 1);
  const text = `${rest.map(({ lower }) => lower).join(' ')} `;
  if (/\b(?:any ?more|any longer|no longer|no more) $/.test(text)) ended = true;
  const base = BE.has(verb) ? 'be' : (verbOf(verb) ?? verb);
  const relation = saidBy(base, { negated, wish, rather });
  const isTaste = relation === 'like' || relation === 'dislike';
  return {
    verb: base,
    relation,
    negated: !isTaste && (negated || /^(?:no|none|neither|nothing) /.test(text)),
    ended: ended && !(isTaste && negated),
    modal: modal && !(wish && rather),
    past: isPast(words.slice(verbAt, at + 1).map(({ lower }) => lower)),
    rest,
  };
}

const PAST_BE = new Set(['was', 'were', 'been', 'had', 'did']);

/** `visited`, `went`, `have been`; `put` and the like are taken for the present. */
function isPast(verbs: readonly string[]): boolean {
  const last = verbs.at(-1) ?? '';
  return (
    verbs.some((verb) => PAST_BE.has(verb)) ||
    /ed$/.test(last) ||
    (baseForm(last) !== last && !/(?:s|ing)$/.test(last) && !BE.has(last))
  );
}

const MODAL = new Set(['would', 'will', 'might', 'may', 'could', 'should', 'shall', 'going', 'must']);

/** What a verb says with what stands around it: `can't stand`, `would rather have`, `would like`. */
function saidBy(
  base: string,
  { negated, wish, rather }: { readonly negated: boolean; readonly wish: boolean; readonly rather: boolean },
): string {
  if (negated && ['stand', 'bear'].includes(base)) return 'dislike';
  const relation = base === 'be' ? 'be' : relationOf(base);
  if (rather && wish) return negated ? 'dislike' : 'like';
  if (relation !== 'like') return relation;
  if (wish && base !== 'prefer') return 'want';
  return negated ? 'dislike' : 'like';
}

/** True where the word goes on with the verb: `have moved`, `would love`, `do not live`, `am learning`. */
function isChainable(verb: string, next: string | undefined): boolean {
  if (next === undefined || !AUXILIARIES.has(verb)) return false;
  if (['have', 'has', 'had'].includes(verb))
    return (
      (next === 'got' || /(?:ed|en|ught|been|gone|lost|left|sold|met|quit|put)$/.test(next)) &&
      (verbOf(next) !== undefined || next === 'been')
    );
  if (BE.has(verb)) return (/ing$/.test(next) && verbOf(next) !== undefined) || next === 'going';
  if (verb === 'going') return next === 'to';
  if (verb === 'to') return verbOf(next) !== undefined || next === 'be';
  return verbOf(next) !== undefined || AUXILIARIES.has(next);
}

function findVerb(words: readonly Word[]): number | undefined {
  const first = words[0]?.lower ?? '';
  if (first === 'i' || first === 'we' || first === 'you') {
    let at = 1;
    while (ADVERBS.has(words[at]?.lower ?? '') || words[at]?.lower === 'and') at++;
    return at < words.length ? at : undefined;
  }
  if (COMMANDS.has(first)) return undefined;
  const limit = Math.min(words.length, 12);
  for (let at = 0; at < limit; at++) {
    const word = words[at];
    if (!word || word.token.kind !== 'word') continue;
    if (word.lower === 'to' || word.lower === 'going') continue;
    const isNoun = at === 0 && (BE.has(words[1]?.lower ?? '') || words[1]?.lower === ':');
    if (isNoun) continue;
    if (at === 0 ? isFinite(word.lower) : BE.has(word.lower) || AUXILIARIES.has(word.lower)) return at;
    if (at > 0 && verbOf(word.lower) !== undefined && looksFinite(words, at)) return at;
  }
  return undefined;
}

function isFinite(lower: string): boolean {
  return (
    !lower.endsWith('ing') &&
    (verbOf(lower) !== undefined || BE.has(lower) || AUXILIARIES.has(lower)) &&
    lower !== 'to'
  );
}

/** `my hourly pay is` has a noun where `my sister works` has a verb. */
function looksFinite(words: readonly Word[], at: number): boolean {
  const lower = words[at]?.lower ?? '';
  if (lower.endsWith('ing')) return false;
  const later = words.slice(at + 1, at + 4).some((word) => BE.has(word.lower));
  const previous = words[at - 1]?.lower ?? '';
  return (
    !later &&
    ![
      'my',
      'our',
      'the',
      'a',
      'an',
      'his',
      'her',
      'their',
      'your',
      'favourite',
      'favorite',
      'to',
      'of',
      'for',
    ].includes(previous)
  );
}

/** `wifi password: banana42`, `name = Dana`. */
function readLabel(words: readonly Word[]): Part | undefined {
  const at = words.findIndex(({ lower }) => lower === ':' || lower === '=');
  if (at < 1 || at > 5 || at + 1 >= words.length) return undefined;
  const label = words.slice(0, at);
  if (label.some(({ lower }) => BE.has(lower) || lower === 'i')) return undefined;
  const subject = readSubject(label);
  if (!subject || subject.who !== 'other') return undefined;
  return {
    subject: { ...subject, mine: true },
    subjectWords: label,
    verb: 'be',
    relation: 'be',
    negated: false,
    ended: false,
    modal: false,
    past: false,
    rest: words.slice(at + 1),
  };
}
