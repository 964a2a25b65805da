import { spend } from '../allowance';
import { FULL_FORMS } from './lexicon';

/** One clause of a message. */
export interface Clause {
  /** Its words with full forms, `I am` for `I'm`, without greetings before and marks after. Where it has no subject, that of the clause before. */
  readonly text: string;
  /** Its place in the message, code units. */
  readonly start: number;
  readonly end: number;
  /** The number of its sentence. */
  readonly sentence: number;
  /** Whether it asks, or tells somebody to do something with a text. */
  readonly asks: boolean;
  /** Whether it is wished, supposed, planned or doubted. */
  readonly unreal: boolean;
  /** Whether others say it. */
  readonly reported: boolean;
}

/** The maximum length of a sentence that is read, characters. */
const MAX_SENTENCE = 600;
/** Work of one character of a message. */
const CHARACTER_COST = 3;

/** The end of a sentence, unless a title, an initial or another abbreviation has the full stop. */
const SENTENCE_END = /[.!?…;]+["”’)\]]*(?=\s|$)|\n+/g;
const ABBREVIATION = /(?:^|[^\p{L}])(?:mr|mrs|ms|dr|st|prof|jr|sr|vs|approx|e\.g|i\.e|\p{Lu})$/iu;
const SUBJECT = String.raw`(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|he|she|they|you|it|it['’]s|the|there|his|her|their|your|this|that)`;
/** Verbs in the form that follows I and we; before these a clause may leave its subject out. */
const VERB = String.raw`(?:(?:now|also|currently|still|just|really) )*(?:live|work|like|love|enjoy|hate|dislike|prefer|have|own|speak|play|drive|study|moved|joined|left|started|sold|quit|switched|changed|am|do not|don['’]t|can['’]t stand|no longer)`;
/** At the beginning of a sentence these are said of oneself. */
const BARE_VERB = /^(?:sold|moved to|moved from|started at|joined|quit|left|lost|living in|handed in) /i;
const CLAUSE_END = new RegExp(
  String.raw`\s*(?:[,–—:(]|\s-)?\s+(?:and|but|(?<!just )so|because|while|although|plus)\s+(?=(?:also |now |from today |from now on )?${SUBJECT}\s|${VERB}\s|[^\s,]+\s(?:is|are)\s(?:my|our)\s)|\s*[,–—:(]\s*(?=(?:and |but |so |because |also |now )*${SUBJECT}\s)|\s+-\s+(?=${SUBJECT}\s)|,\s+(?=${VERB}\s)`,
  'giu',
);

const LEAD =
  /^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|thanks|thank you|cheers|great|cool|nice|lovely|yes|yeah|yep|no|nope|ok|okay|well|oh|ah|so|and|but|also|plus|actually|btw|by the way|fyi|for the record|just so you know|in fact|because|since then|sorry|correction|please|now|I would say(?: that)?|nowadays|currently|these days|from (?:now on|today|tomorrow)|as of (?:now|today)|in the end|news|finally|sadly|luckily|unfortunately|good news|big news|update|note|remember|note that|remember that|keep in mind that|don't forget that|do not forget that|you should know that|(?:please )?(?:note|remember|save|store)(?: that|:)?|I (?:already |just )?(?:told|said to) you(?: that)?|did I (?:mention|say|tell you) that|there|that(?! (?:is|was)\b))(?=[\s,:!.–-])[\s,:!.–-]*)+/i;

const IMPERATIVE =
  /^(?:please )?(?:can you |could you |would you )?(?:translate|summari[sz]e|rewrite|rephrase|proofread|correct|fix|repeat|classify|extract|paraphrase|write|compose|draft|generate|imagine|pretend|suppose|act|role-?play|say|print|count|spell|reverse|analy[sz]e|explain|find|search|send|post|create|make|show|list|tell|give|forget|delete|remove|erase|add|multiply|get|fetch|read|run|use|book|order|convert|compute|calculate|call (?!me\b))\b/i;
const QUESTION =
  /^(?:(?:and|so|but|well|hey|ok|please) )*(?:what|who|whom|whose|where|when|why|how|which|is|are|am|was|were|do|does|did|can|could|would|will|shall|should|may|might|has|have (?:I|we|you|they)|had)\b(?! (?:a|an|two|three) )/i;
/** These make their whole message a story, or a text to work on. */
const STORY =
  /\b(?:imagine|pretend|suppose|supposing|hypothetically|role-?play|once upon a time|in (?:my|the|a) (?:novel|story|dream|game|book|film|movie)|for example)\b/i;
const UNREAL =
  /\b(?:if|unless|wish|wishes|wished|hope|hopes|hoping|hopefully|maybe|perhaps|probably|possibly|imagine|pretend|suppose|would|could|might|should|shall|will|dream|dreams|dreamed|dreamt|guess|doubt|not sure|unsure|I think|I believe|I suspect|nearly|almost|going to|gonna|want to|wants to|wanted to|planning|plan to|thinking (?:of|about)|consider|considering|hoping|tempted|about to|not true|untrue|false that|nobody|no one|when I was|as a (?:kid|child|boy|girl|teenager)|until \d+|back then|whether|someday|some day|one day|a lie|kidding|joking|supposedly|allegedly|apparently)\b|\bmay\b(?! \d)/;
/** Of what has happened it says how long it is to last. */
const HOPE = /, (?:hopefully|I hope) for (?:good|ever|long|a while)$/i;
const SPEECH =
  /(?<!\p{L})(\S+ )?(?:says?|said|tells?|told|thinks?|thought|claims?|claimed|believes?|writes|wrote|texted|reckons?|insists?|heard|according|asks?|asked|swears?|mentioned|jokes?|joked|announced)\b/giu;
const QUOTED_SPEECH = /["“][^"”]*\b(?:I|my|we|our)\b[^"”]*["”]/i;
const SPEAKER =
  /^(?!(?:PS|Update|Note|Remember|FYI|BTW|Hi|Hello|News)\b)\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?: ["“]?(?:I|My|We|Our|my|we|our)\b/u;

/** Cuts a message into clauses. A sentence that is too long for the rules is left out. */
export function clausesOf(message: string): Clause[] {
  spend(CHARACTER_COST * message.length);
  const isStory = STORY.test(message) || (IMPERATIVE.test(message) && /[:"“\n]/.test(message));
  return sentencePlaces(message).flatMap(([start, end], sentence) =>
    end - start > MAX_SENTENCE ? [] : clausesOfSentence(message, start, end, sentence, isStory),
  );
}

/** The sentences of a text by their places, code units, each with its mark. */
export function sentencePlaces(text: string): [start: number, end: number][] {
  const places: [number, number][] = [];
  let from = 0;
  const add = (to: number): void => {
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) places.push([from, to]);
    from = to;
  };
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END))
    if (!(
      mark === '.' &&
      ABBREVIATION.test(text.slice(Math.max(0, index - 8), index)) &&
      !/\bI$/.test(text.slice(0, index).slice(-2))
    ))
      add(index + mark.length);
  add(text.length);
  return places;
}

function clausesOfSentence(
  message: string,
  start: number,
  end: number,
  sentence: number,
  isStory: boolean,
): Clause[] {
  const whole = message.slice(start, end);
  const full = withFullForms(whole);
  const asks = isStory || /\?\W*$/.test(whole) || QUESTION.test(full) || isRequest(full);
  const reported = isReported(full);
  const isSupposed =
    /\b(?:if|unless|wish|suppose|imagine|pretend|would|not true|maybe|perhaps)\b/i.test(full) &&
    !/\bif you (?:ask|need|want)\b/i.test(full);
  const clauses: Clause[] = [];
  let from = 0;
  let subject = '';
  const add = (to: number): void => {
    const piece = whole.slice(from, to);
    const lead = /^[\s,–—:(-]*/.exec(piece)?.[0].length ?? 0;
    const trail = /[\s,–—:().!?…;"”]*$/.exec(piece)?.[0].length ?? 0;
    if (piece.length - trail <= lead) return;
    const own = withFullForms(piece.slice(lead, piece.length - trail));
    const isElided = subject !== '' && new RegExp(`^${VERB}\\b`, 'i').test(own);
    const isWithout = from === 0 && BARE_VERB.test(own);
    const text = isElided
      ? `${subject} ${own}`
      : isWithout
        ? `I ${own.charAt(0).toLowerCase()}${own.slice(1)}`
        : own;
    if (!isElided)
      subject = /^(?:I|we|he|she|they|you|it)\b/i.exec(own)?.[0] ?? (/^\p{Lu}/u.test(own) ? 'they' : '');
    const place = { start: start + from + lead, end: start + to - trail };
    clauses.push({
      text,
      ...place,
      sentence,
      asks,
      unreal: isSupposed || UNREAL.test(text.replace(HOPE, '')),
      reported,
    });
  };
  for (const { 0: mark, index } of whole.matchAll(CLAUSE_END)) {
    add(index);
    from = index + mark.length;
  }
  add(whole.length);
  return clauses;
}

/** Writes out contracted verbs, and leaves out greetings and the like before what is said. */
export function withFullForms(text: string): string {
  let full = text.trim().replace(/\s+/g, ' ');
  for (const [pattern, instead] of FULL_FORMS) full = full.replace(pattern, instead);
  const rest = full.replace(LEAD, '');
  return rest === '' ? full : rest;
}

/** Whether a sentence tells somebody to do something. Pure. */
export const isRequest = (sentence: string): boolean => IMPERATIVE.test(sentence);
/** Whether a sentence asks by its first words. Pure. */
export const isQuestion = (sentence: string): boolean => QUESTION.test(sentence);

/** Whether somebody else than the author says a sentence, or a part of it. */
function isReported(sentence: string): boolean {
  if (SPEAKER.test(sentence) || QUOTED_SPEECH.test(sentence)) return true;
  return [...sentence.matchAll(SPEECH)].some(([, before = '']) => !/^(?:I|we|have|to|not) $/i.test(before));
}
