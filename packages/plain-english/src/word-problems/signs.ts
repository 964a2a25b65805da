import type { Fact } from './fact';
import { isMeasure, isOpen, isTime, UNKNOWN } from './units';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
/** What makes an amount less. */
const LOSING = words(
  'give gives giving gave lose losing lost loses eat eats ate eaten spend spending spent spends sell sold sells selling use used uses using ' +
    'remove removed drop dropped dropping break broke broken throw threw leave pay pays paid paying donate donated drink drank drunk took taken takes gone ' +
    'die died withdraw withdrew withdrawn consumed fell shipped sent booked occupied ran rent bill bills costs cost cut burned burnt ' +
    'spilled discarded handed lent lend expenses cancelled canceled away off left leaves minus less voucher discount deduct deducted broken rotten ' +
    'return returned returns refunded leak leaks leaking leaked poured tore wasted finished melted absent',
);
/** What makes it more. */
const GAINING = words(
  'buy buys bought gets got find finds found receive received receives earn earned earns gain gained win won added adds add pick ' +
    'picked collect collected borrow borrowed deposit deposited save saved saves made make makes bake baked came come joined join joins arrive arrived ' +
    'arrives another refund restocked delivered delivery more plus extra grew rose risen born hatched planted bonus hired',
);
const GIVES = /\b(?:g[ai]ve|gives|paid|pays|sent|sends|lent|lends|handed|hands) (me|us|him|her|them|\w+)\b/;

type Sign = -1 | 0 | 1;

/** Of these, those that lose where they stand after the number; a verb there belongs to what follows. */
const BEHIND = words(
  'away off lost broken gone used sold eaten taken left leave leaves occupied booked spent broke died rotten less voucher discount absent ' +
    'cancelled canceled returned missing wasted melted break lunch pause quit',
);
const AFTERWARDS = words('left away off leaves');

/** What stands before an amount that has the verb of the amount before: `spent 20 and then another 5`. */
const CONTINUED =
  /^(?:(?:then|also|another|a|an|further|the|about|later) ?)*$|^(?:an?|the|some) (?:\w+ ){1,3}for$/;

/** Whether a story takes each amount away or adds it; 0 where it does not say, undefined where it is not clear whose it is. */
export function signsOf(facts: readonly Fact[]): (Sign | undefined)[] {
  const signs: (Sign | undefined)[] = [];
  for (const [at, fact] of facts.entries()) {
    const previous = facts[at - 1];
    const [name = UNKNOWN] = fact.unit.of;
    const isSame = isOpen(name) || isMeasure(name) || name === previous?.unit.of[0];
    const isContinued =
      isSame && CONTINUED.test(fact.before) && previous !== undefined && fact.clause - previous.clause <= 2;
    const sign = signOf(isContinued ? { ...fact, before: '' } : fact);
    // `marketing takes 2,500 and travel 1,300`
    const isGapped =
      isSame && /^(?:(?:the|my|our) )?\w+$/.test(fact.before) && fact.clause - (previous?.clause ?? 0) === 1;
    signs.push(sign === 0 && (isContinued || isGapped) ? signs.at(-1) : sign);
  }
  return signs;
}

function signOf(fact: Fact): Sign | undefined {
  const { before, after, unit } = fact;
  const given = giving(before) ?? trading(before);
  if (given !== undefined) return given === 0 ? undefined : given;
  const isLasting = isTime(unit.of[0]) && /\btakes?$/.test(before);
  if (isLasting) return 0;
  if (/\bg[eo]ts? on\b/.test(`${before} ${after}`)) return 1;
  const ahead = before.split(' ');
  const behind = behindSign(fact);
  const loses = behind < 0 || ahead.some((word) => LOSING.has(word) && !AFTERWARDS.has(word));
  const gains = behind > 0 || ahead.some((word) => GAINING.has(word));
  if (loses && gains) return /\b(?:more|another)\b/.test(after) ? -1 : 0;
  if (loses) return -1;
  return gains && unit.per.length === 0 ? 1 : 0;
}

/** `7 got off`, `385 were shipped out`, `45 more`. */
function behindSign({ after, unit }: Fact): Sign {
  const words = (after.split(/\b(?:after|before|when|because|since)\b/)[0] ?? '')
    .trim()
    .split(' ')
    .slice(0, 5);
  const auxiliary = words.findIndex((word) => /^(?:was|were|is|are|been|got|be|have|has|had)$/.test(word));
  const isLost = words.some(
    (word, at) => BEHIND.has(word) || (auxiliary >= 0 && at > auxiliary && LOSING.has(word)),
  );
  if (isLost) return -1;
  return unit.per.length === 0 && words.some((word) => GAINING.has(word) && word !== 'another') ? 1 : 0;
}

/** `bought shoes for 89` costs 89, `sold it for 20` brings 20. */
function trading(before: string): Sign | undefined {
  if (!/ for(?: only| just)?$/.test(before)) return undefined;
  if (/\b(?:buys?|bought|buying)\b/.test(before)) return -1;
  return /\b(?:sells?|sold)\b/.test(before) ? 1 : undefined;
}

/** `my mum gave me 275` and `she gave Ben 5`; with another giver, whose amount grows is not said. */
function giving(before: string): Sign | undefined {
  const found = GIVES.exec(before);
  const receiver = found?.[1];
  if (!found || receiver === undefined) return undefined;
  if (receiver === 'me' || receiver === 'us') return 1;
  const subject = before.slice(0, found.index).trim().split(' ').at(-1) ?? '';
  return /^(?:away|back|off|for|out)$/.test(receiver) ||
    ['', 'i', 'we', 'she', 'he', 'they', 'then', 'also', 'later'].includes(subject)
    ? -1
    : 0;
}
