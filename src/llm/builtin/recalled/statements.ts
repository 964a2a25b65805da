import { readClauses } from './clauses';
import { isNumberWord } from './number-words';
import { isRelative, readSubject } from './subjects';
import { toSecondPerson } from './person';
import type { Phrase, RecalledText, Statement, Subject } from './types';
import { ADVERBS, AUXILIARIES, BE, relationOf, verbOf } from './verbs';
import { conceptOf, termsOf, type Word } from './words';

/** What people put before what they have to say. */
const LEADS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon|news)|well|ok|okay|so|oh|ah|um|yes|yeah|no|nope|sure|thanks|thank you|actually|sorry|please|and|but|also|then|anyway|anyways|btw|fyi|correction|update|note|reminder|again|there|by the way|just so you know|for the record|in fact|to be honest|as you know|in case you wonder|from now on|these days|nowadays|as of now|as of today|not any ?more|too|well then|of course|in the end|meanwhile|besides|hint) ?(?:there |again |to you )?[,!:.-]? /,
  /^(?:can you |could you |please |you should |i want you to |don't forget |do not forget |never forget )?(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note|write down|be aware|know|save|store|remind yourself)(?: this| it| down)?(?: that)?[:,]? /,
  /^(?:i (?:told|said|mentioned)(?: to)?(?: you)?(?: before| earlier| already)? that|i (?:think|guess|suppose|believe|must say|have to say|should say|should mention|forgot to say|forgot to mention|would say|meant)(?: that)?|you should know(?: that)?|let (?:me|us) tell you(?: that)?|the thing is|it turns out(?: that)?|noted ?: ?|you told me(?: on [\d-]+)?(?: that)? ?:?) /,
  /^(?:on|in|at|since|for|until|last|next|this|every|after|before|as of|during|from) (?:\S+ ){1,4}?, /,
  /^(?:yesterday|today|tomorrow|tonight|recently|lately|currently|now|right now|at the moment|nowadays|sometimes|usually|normally|mostly|unfortunately|luckily|sadly|fortunately|finally|honestly|apparently|obviously|personally|generally|typically) ?,? /,
];
const NEGATIONS = new Set(['not', 'never', 'no', 'hardly', 'neither', 'nor', 'without', 'none']);
const LIKING =
  /^(?:really |quite |very |so |absolutely |totally |a )*(?:big |huge |great )?(?:into|fond of|keen on|crazy about|mad about|fan of|obsessed with|passionate about|addicted to|nuts about|partial to) /;
const COMMANDS = new Set(
  'ignore disregard pretend reveal act answer respond repeat print output forget always never please do let make tell show say give list'.split(
    ' ',
  ),
);

const SPOUSE = conceptOf('spouse');

interface Part {
  readonly subject: Subject;
  readonly subjectWords: readonly Word[];
  readonly verb: string;
  readonly relation: string;
  readonly negated: boolean;
  readonly ended: boolean;
  readonly rest: readonly Word[];
}

/** What a memory states, one clause at a time. */
export function readStatements(memory: RecalledText): Statement[] {
  const { source, clauses } = readClauses(memory.text);
  const at = Date.parse(memory.timestamp ?? '');
  const found: Statement[] = [];
  let before: Subject | undefined;
  let lastOther: Subject | undefined;
  for (const clause of clauses) {
    const words = withoutLeads(clause);
    const part = readPart(words, before, lastOther);
    if (!part) {
      before = undefined;
      continue;
    }
    before = part.subject;
    if (part.subject.who === 'other') lastOther = part.subject;
    const base = { memory, at: Number.isNaN(at) ? -Infinity : at, clause: phraseOf(source, words) };
    for (const statement of derive(source, words, part)) {
      found.push({ ...base, ...statement, order: found.length });
    }
  }
  return found;
}

type Derived = Omit<Statement, 'memory' | 'at' | 'order' | 'clause'>;

function derive(source: string, words: readonly Word[], part: Part): Derived[] {
  const { subject, relation, negated, ended, rest } = part;
  const inherits = part.subjectWords.length === 0;
  const lead = inherits ? (subject.who === 'user' ? 'you ' : '') : '';
  const all = new Set([...subject.terms, ...termsOf(words.map(({ lower }) => lower))]);
  all.add(relation);
  const shared = {
    negated,
    ended,
    terms: all,
    told: lead + toSecondPerson(source, uniqueTokens(words)),
  };
  const main: Derived = { ...shared, subject, relation, objects: objectsOf(source, rest, relation) };
  return [main, ...attributesOf(source, part, shared), ...appositions(source, words, shared)];
}

/** What the words say besides: that `I am 34` is an age, `I am a nurse` a job. */
function attributesOf(
  source: string,
  part: Part,
  shared: Omit<Derived, 'subject' | 'relation' | 'objects'>,
): Derived[] {
  const { subject, verb, rest } = part;
  const text = rest.map(({ lower }) => lower).join(' ');
  const found: Derived[] = [];
  const add = (relation: string, words: readonly Word[], about: Subject = subject): void => {
    found.push({
      ...shared,
      terms: new Set([...shared.terms, relation]),
      subject: about,
      relation,
      objects: objectsOf(source, words, relation),
    });
  };
  const without = (word: string): Subject => ({
    ...subject,
    terms: subject.terms.filter((term) => term !== word),
    who:
      subject.who === 'other' && subject.mine && subject.terms.every((term) => term === word)
        ? 'user'
        : subject.who,
  });
  if (verb === 'be') {
    if (LIKING.test(`${text} `))
      add('like', rest.slice((LIKING.exec(`${text} `)?.[0] ?? '').trim().split(' ').length));
    if (/^(?:called|named) /.test(text)) add('name', rest.slice(1));
    if (subject.terms.includes(conceptOf('name')) && rest.length > 0)
      add('name', rest, without(conceptOf('name')));
    if (subject.terms.includes(conceptOf('job'))) add('job', rest, without(conceptOf('job')));
    if (/^(?:based|living|located) (?:in|at|near) /.test(text)) add('home', rest.slice(2));
    if (
      /^(?:almost |nearly |now |just )?(?:\d{1,3}|[a-z]+(?:-[a-z]+)?)(?: years?(?: old| of age)?)?$/.test(
        text,
      ) &&
      rest.some(({ token }) => token.kind === 'number' || isNumberWord(token.lower))
    )
      add('age', rest);
    if (/\byears? old\b/.test(text)) add('age', rest);
    if (/^born /.test(text)) add('birthday', rest.slice(1));
    if (/^(?:an?|the) /.test(text) && isProfession(rest)) add('job', rest);
    if (/^married to /.test(text))
      add('name', rest.slice(2), { who: 'other', terms: [SPOUSE], persons: [SPOUSE], mine: true });
    if (
      subject.who === 'user' &&
      rest.length <= 3 &&
      rest.length > 0 &&
      rest.every(({ token }) => token.kind === 'word' && /^\p{Lu}/u.test(token.text))
    )
      add('name', rest);
  }
  if (subject.terms.includes(conceptOf('birthday'))) add('birthday', rest, without(conceptOf('birthday')));
  if (verb === 'turn' && rest.some(({ token }) => token.kind === 'number')) {
    add('age', rest);
    if (/\bon\b/.test(text)) add('birthday', rest);
  }
  if (verb === 'move' && /\bto\b/.test(text)) add('home', rest);
  return found;
}

const PROFESSION =
  /(?:er|or|ist|ian|ant|ent|man|woman|chef|nurse|vet|cook|clerk|pilot|judge|barista|coach|architect|analyst|dba|ceo|cto|intern|freelance|attorney|lawyer|midwife|guide|builder|designer)$/;
const NO_PROFESSION = new Set(
  'vegetarian riser lover person sister brother mother father daughter owner member smoker reader drinker eater user winner beginner runner swimmer partner parent christian fan teetotaller sleeper'.split(
    ' ',
  ),
);

function isProfession(words: readonly Word[]): boolean {
  const stop = words.findIndex(({ lower }) =>
    ['at', 'in', 'for', 'with', 'by', 'from', 'and', 'who', ',', 'of'].includes(lower),
  );
  const head = words.slice(1, stop === -1 ? undefined : stop).at(-1)?.lower ?? '';
  return PROFESSION.test(head) && !NO_PROFESSION.has(head);
}

/** `my sister Ola`, `a dog called Biscuit`, `my wife is called …`: names told in passing. */
function appositions(
  source: string,
  words: readonly Word[],
  shared: Omit<Derived, 'subject' | 'relation' | 'objects'>,
): Derived[] {
  const found: Derived[] = [];
  words.forEach((word, at) => {
    if (!isRelative(word.lower)) return;
    let from = at + 1;
    if (['called', 'named', ',', "'s"].includes(words[from]?.lower ?? '') && words[from]?.lower !== "'s")
      from += 1;
    let to = from;
    while (to < words.length && to - from < 3 && isName(words[to])) to++;
    if (to === from) return;
    const subject: Subject = {
      who: 'other',
      terms: [conceptOf(word.lower)],
      persons: [conceptOf(word.lower)],
      mine: true,
    };
    found.push({
      ...shared,
      subject,
      relation: 'name',
      terms: new Set([...shared.terms, 'name']),
      objects: objectsOf(source, words.slice(from, to), 'name'),
    });
  });
  return found;
}

function isName(word: Word | undefined): boolean {
  return word?.token.kind === 'word' && /^\p{Lu}/u.test(word.token.text) && word.lower !== 'i';
}

function withoutLeads(clause: readonly Word[]): readonly Word[] {
  let words = clause;
  for (let round = 0; round < 4; round++) {
    const text = `${words
      .slice(0, 14)
      .map(({ lower }) => lower)
      .join(' ')} `;
    const lead = LEADS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    if (lead === undefined) return words;
    const count = lead.trim().split(' ').length;
    if (count >= words.length) return words;
    words = words.slice(count);
  }
  return words;
}

function readPart(
  words: readonly Word[],
  before: Subject | undefined,
  lastOther: Subject | undefined,
): Part | undefined {
  const labelled = readLabel(words);
  if (labelled) return labelled;
  const verbAt = findVerb(words);
  if (verbAt === undefined) return undefined;
  const subjectWords = words.slice(0, verbAt).filter(({ lower }) => !ADVERBS.has(lower) || lower === 'all');
  const first = words[0]?.lower ?? '';
  let subject: Subject | undefined;
  if (verbAt === 0) subject = before;
  else if (['he', 'she', 'they', 'it'].includes(first) && verbAt <= 2)
    subject = lastOther ?? readSubject(subjectWords);
  else subject = COMMANDS.has(first) ? undefined : readSubject(subjectWords);
  if (!subject) return undefined;
  let at = verbAt;
  let negated = words.slice(0, verbAt).some(({ lower }) => NEGATIONS.has(lower));
  let verb = words[at]?.lower ?? '';
  let ended = false;
  // Auxiliaries and adverbs up to the verb that says something.
  for (;;) {
    const next = words[at + 1]?.lower ?? '';
    if (NEGATIONS.has(next) && next !== 'no') {
      negated = true;
      at += 1;
      if (at + 1 >= words.length) break;
      if (BE.has(verb) && verbOf(words[at + 1]?.lower ?? '') === undefined) break;
      verb = BE.has(verb) && !isVerbForm(words[at + 1]?.lower ?? '') ? verb : (words[at + 1]?.lower ?? '');
      if (verb === words[at + 1]?.lower) at += 1;
      continue;
    }
    if (verb === 'used' && next === 'to') {
      ended = true;
      at += 2;
      verb = words[at]?.lower ?? '';
      continue;
    }
    if (ADVERBS.has(next) && isChainable(verb, words[at + 2]?.lower)) {
      at += 2;
      verb = words[at]?.lower ?? '';
      continue;
    }
    if (isChainable(verb, next)) {
      at += 1;
      verb = words[at]?.lower ?? '';
      continue;
    }
    break;
  }
  const rest = words.slice(at + 1);
  if (['stand', 'bear'].includes(verb) && negated)
    return {
      subject,
      subjectWords: words.slice(0, verbAt),
      verb,
      relation: 'dislike',
      negated: false,
      ended,
      rest,
    };
  const restText = rest.map(({ lower }) => lower).join(' ');
  if (/\b(?:any ?more|any longer|no longer|no more)$/.test(restText)) ended = true;
  if (verb === 'stop' || verb === 'stopped' || verb === 'quit') ended = false;
  const base = BE.has(verb) ? 'be' : (verbOf(verb) ?? verb);
  const relation = base === 'be' ? 'be' : relationOf(verb);
  return {
    subject,
    subjectWords: words.slice(0, verbAt),
    verb: base,
    relation: relation === 'like' && negated ? 'dislike' : relation,
    negated: relation === 'like' ? false : negated || /^(?:no|none) /.test(`${restText} `),
    ended,
    rest,
  };
}

function isVerbForm(word: string): boolean {
  return verbOf(word) !== undefined;
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
    if (at === 0 ? isFinite(word.lower) : BE.has(word.lower) || AUXILIARIES.has(word.lower))
      return word.lower === 'to' ? undefined : at;
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
    !['my', 'our', 'the', 'a', 'an', 'his', 'her', 'their', 'your', 'favourite', 'favorite'].includes(
      previous,
    )
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
    rest: words.slice(at + 1),
  };
}

const COMPARED = new Set(['to', 'over', 'than', 'instead']);

/** What stands after the verb, cut where several things are listed. */
function objectsOf(source: string, rest: readonly Word[], relation: string): Phrase[] {
  const objects: Phrase[] = [];
  let current: Word[] = [];
  const flush = (): void => {
    if (current.length > 0) objects.push(phraseOf(source, current));
    current = [];
  };
  for (const word of rest) {
    const isCompared = relation === 'like' && current.length > 0 && COMPARED.has(word.lower);
    if (isCompared && !(word.lower === 'to' && current.length < 1)) break;
    if (relation === 'like' && word.lower === 'rather') break;
    if ([',', 'and', 'or', '&', 'but'].includes(word.lower)) flush();
    else current.push(word);
  }
  flush();
  return objects;
}

function phraseOf(source: string, words: readonly Word[]): Phrase {
  const first = words[0]?.token;
  const last = words.at(-1)?.token;
  return {
    text: first && last ? source.slice(first.start, last.end) : '',
    words: words.map(({ lower }) => lower),
  };
}

function uniqueTokens(words: readonly Word[]): Word['token'][] {
  return [...new Set(words.map(({ token }) => token))];
}
