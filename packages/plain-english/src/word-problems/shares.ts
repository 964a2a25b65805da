import { combine, type Expression, numberOf } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';
import { stem } from '../text/stem';
import type { Fact } from './fact';
import { isContent } from './nouns';
import type { Story } from './question';

const DOWN =
  /\b(?:off|discount\w*|reduc\w+|cheaper|sale|deduct\w*|drop\w*|f[ae]ll\w*|decreas\w+|lower\w*|less|los(?:es?|t|ing)|marked down|knocked|shrank|rebate|takes?|took|taken|withh\w+)\b/;

const UP =
  /\b(?:tax|vat|gst|tip|tipping|leav(?:e|ing)|interest|rais\w+|markup|mark-up|increas\w+|grow\w*|grew|rose|ris(?:es?|en|ing)|more|gratuity|surcharge|service|bonus|up|dearer|extra|on top)\b/;

const PART =
  /^(?:commission|tip|vat|tax|interest|discount|deposit|down payment)\b|\b(?:how (?:much|big|many \w+)|what(?:'s| is| was| will| would)?|just|only)(?: (?:is|was|will|would|are|do|does|did|i|we|they|you|of|that))*(?: be)?(?: (?:the|my|our|that|an?))?(?: #)?(?: sales| service)? ?(?:tip|tax|vat|interest|discount|commission|bonus|gratuity|raise|savings?|deposit|down payment|fee|save|give|take(?! home)|pay in tax)\b|\bsave\b|\bthe (?:vat|tax)\b(?! (?:included|inclusive))/;

const ORIGINAL =
  /\b(?:cost new|original\w*|before|without|net|excluding|exclusive|ex|used to|at first|initially|pre-tax|list price|full price)\b/;

const INCLUDED = /\b(?:includ\w+|incl|gross)\b/;

const REST =
  /\b(?:take home|keeps?|stay\w*|left|remain\w*|rest|others?|not|n't|still|without|don't|didn't|aren't|isn't|doesn't)\b/;

const NOT = /n't\b|\bnot\b/;

const GONE =
  /\b(?:gone|spen[dt]|used|sold|eaten|ate|paid|read|lost|done|finished|complete\w*|broken|give\w*|gave|took|taken|goes?|drank|burnt?|planted|missing)\b/;

/** Pairs of which everything is one or the other. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:girls?|women|woman|females?|ladies)\b/, /\b(?:boys?|m[ea]n|males?)\b/],
  [/\b(?:right|correct)\b/, /\b(?:wrong|incorrect)\b/],
  [/\bpass\w*\b/, /\bfail\w*\b/],
  [/\b(?:absent|ill|sick|away)\b/, /\b(?:present|here|there|came|healthy|attend\w*)\b/],
  [/\b(?:adults?|grown-ups?)\b/, /\b(?:child|children|kids?)\b/],
  [/\b(?:sold|taken|booked|occupied|full)\b/, /\b(?:unsold|free|empty|available|vacant|fit in)\b/],
  [/\b(?:won|wins?)\b/, /\b(?:lost|loses?)\b/],
];

type Applied = (base: Expression, share: number) => Expression;

const times = (base: Expression, factor: number): Expression =>
  combine('multiply', base, numberOf(cleanNumber(factor)));
const over = (base: Expression, factor: number): Expression =>
  combine('divide', base, numberOf(cleanNumber(factor)));

/** What a share does to the amount that it is of. */
const ROLES = {
  whole: over,
  part: times,
  rest: (base, share) => times(base, 1 - share),
  more: (base, share) => times(base, 1 + share),
  'before less': (base, share) => over(base, 1 - share),
  'before more': (base, share) => over(base, 1 + share),
  'included part': (base, share) => combine('subtract', base, over(base, 1 + share)),
} satisfies Readonly<Record<string, Applied>>;

type Role = keyof typeof ROLES;

/** An amount with a share applied to it as the story and its question have it; undefined where that is not said. */
export function applyShare(share: Fact, base: Expression, story: Story): Expression | undefined {
  const role = roleOf(share, story);
  return role && ROLES[role](base, share.value);
}

function roleOf(share: Fact, { question: { text: question }, text, statement }: Story): Role | undefined {
  if (/^of (?:what|which)\b/.test(share.after)) return 'whole';
  const asks = (word = ''): boolean => word !== '' && question.split(' ').includes(word);
  const given = /^of (?:an?|the|my|our|some|his|her) (\w+) (?:is|are|was|equals|makes) #/.exec(
    share.after,
  )?.[1];
  const whole = /^of (?:my|the|our|his|her|their|all)? ?(\w*)/.exec(share.after)?.[1];
  const isSaid = /\b(?:which|that) (?:is|was|makes|'s)$|^(?:is|makes|that's)$/.test(share.before);
  if (asks(given) || (isSaid && asks(whole))) return 'whole';
  const around = `${share.before} ${share.after}`;
  const isUsed = /^(?:goes|go|went) (?:to|on|into)\b/.test(share.after);
  const changes = CHANGES.test(share.before);
  const isDown = !isUsed && (DOWN.test(around) || (!UP.test(around) && DOWN.test(question)));
  const isUp = !isUsed && !isDown && (UP.test(around) || UP.test(question));
  if (isUp && INCLUDED.test(text) && PART.test(question) && !ORIGINAL.test(question)) return 'included part';
  if (PART.test(question) && (isUp || isDown || /\bcommission|deposit|fee|down payment\b/.test(text)))
    return ORIGINAL.test(question) && INCLUDED.test(text) ? 'before more' : 'part';
  const isOfOwn = /^of (?:my|his|her|its|our|their|all|what)\b/.test(share.after);
  if ((isDown || isUp) && !isOfOwn && isOriginal(question, statement) && !/\bbefore tax\b/.test(statement))
    return isDown ? 'before less' : 'before more';
  const isOf = /^(?:of|on)\b/.test(share.after);
  if ((isOf && !changes) || !(isDown || isUp)) return partOf(share, question, statement);
  return isDown ? 'rest' : 'more';
}

/** Verbs of a change of the amount itself. */
const CHANGES =
  /\b(?:los(?:es?|t|ing)|gain\w*|drop\w*|f[ae]ll\w*|gr[eo]w\w*|ros\w+|ris\w+|increas\w+|decreas\w+|shr\w+)\b/;

/** `it costs 34 now, what was the price` asks for what was before. */
function isOriginal(question: string, statement: string): boolean {
  return (
    ORIGINAL.test(question) ||
    (/\b(?:was|were|did)\b/.test(question) && /\b(?:now|than before|after)\b/.test(statement))
  );
}

/** Of a part only that is known which the story says of it, and what is left: `40% failed` says nothing of those who came late. */
function partOf(share: Fact, question: string, statement: string): Role | undefined {
  if (REST.test(question)) return /\bat$/.test(share.before) && !GONE.test(statement) ? 'part' : 'rest';
  if (asksOpposite(statement, question)) return 'rest';
  const other = /\bthe (?:rest|others?) (?:are |is |were |was )?(\w{3,})/.exec(statement)?.[1];
  if (other !== undefined && question.split(' ').includes(other)) return 'rest';
  if (/\b(?:commission|deposit|cut|fee|down payment|aside)\b/.test(statement)) return 'part';
  const isDeictic =
    /\b(?:is|are|was|were|in|of|'s) (?:that|it|this|those|them)\b|\bthat's\b|#|^how (?:much|many)(?: \w+)?(?: is| are| do| does)?$/.test(
      question,
    );
  if (!isDeictic && !sharesWord(`${share.before} ${share.after}`, question)) return undefined;
  return NOT.test(statement) === NOT.test(question) ? 'part' : 'rest';
}

/** True where the question has a word of what is said of the share. */
function sharesWord(said: string, question: string): boolean {
  const words = new Set(
    said
      .replace(/^of (?:\w+ ){0,3}?(?=\w+ (?:are|is|were|was|have|had) )/, '')
      .split(' ')
      .filter(isContent)
      .map(stem),
  );
  return question.split(' ').some((word) => isContent(word) && words.has(stem(word)));
}

/** `14 boys … how many girls`: the others are asked for. */
export function asksOpposite(statement: string, question: string): boolean {
  return OPPOSITES.some(([one, other]) => {
    const [isOne, isOther] = [one.test(statement), other.test(statement)];
    return isOne !== isOther && (isOne ? other : one).test(question) && !(isOne ? one : other).test(question);
  });
}
