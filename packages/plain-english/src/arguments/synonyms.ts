import { stem } from '../text/stem';

/** Verbs and nouns that say the same of any tool. A word may be in several groups. */
const GROUPS = (
  'send deliver dispatch shoot drop forward / email mail e-mail / message text sms msg dm / create make ' +
  'open new file raise log add start register set generate write / search find look show list get see ' +
  'fetch check retrieve display lookup query locate tell give / delete remove cancel erase drop clear / ' +
  'update change edit modify set adjust rename alter / buy order purchase / book reserve reservation ' +
  'booking schedule arrange / convert exchange change turn transform swap / translate translation say / ' +
  'remind reminder remember nudge / begin start launch run kick trigger / stop end halt finish kill / ' +
  'count number tally many / resize scale shrink enlarge size / picture image photo pic photograph / ' +
  'price cost quote worth trading / stock share ticker shares / ticket issue bug case / meeting ' +
  'appointment event / client customer / employee staff worker colleague / shorten short shortener / ' +
  'summary summarize summarise summarisation summarization / currency money / car vehicle / pay payment ' +
  'transfer wire remit send / record enter register log note write put save report add / move shift ' +
  'relocate transfer bring / notify notification inform alert tell message / deploy deployment release ' +
  'roll rollout ship push / scale resize grow / block lock freeze disable / unblock unlock unfreeze ' +
  'enable / enrol enroll enrolment register signup admit / grade mark score result / stock inventory ' +
  'supply available / article item product goods / student pupil learner / repair fix mend service / ' +
  'restart reboot bounce / room suite / borrow lend loan / return bring / absent absence ill sick missing ' +
  'away / refund reimburse repay / withdraw withdrawal take / deposit pay / discount reduction / inspect ' +
  'inspection check examine / print printout / clean cleaning tidy / approve accept confirm / reject ' +
  'decline refuse / rate review rating / rent hire lease / play put listen / song track music tune / film ' +
  'movie / light lamp lights bulb / turn switch / thermostat heating temperature / phone call ring dial / ' +
  'document doc file / invoice bill / trip travel journey / flight fly plane / hotel room accommodation ' +
  'lodging / todo task / parcel package shipment delivery / track trace follow / upload publish post / ' +
  'validate verify check / compute calculate work / restaurant dinner / random dice roll / assign ' +
  'allocate give / weather forecast / user account member / password passcode / holiday leave vacation'
)
  .split(' / ')
  .map((group) => group.split(' ').map(stem));

const byStem = new Map<string, Set<string>>();
for (const group of GROUPS) {
  for (const word of group) {
    const others = byStem.get(word) ?? new Set<string>();
    for (const other of group) others.add(other);
    byStem.set(word, others);
  }
}

/** Verbs that fit so many tools that they choose none by themselves. */
const WEAK = new Set(
  (
    'send create make open new add start set get find search look show list fetch check retriev display lookup queri tell give ' +
    'delet remov cancel updat chang edit modifi run do read write call tool api util help'
  )
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** True where one stem is the other, or means the same. */
export function meansSame(a: string, b: string): boolean {
  return a === b || byStem.get(a)?.has(b) === true;
}

/** The stems that mean the same as one. */
export function sameMeaning(word: string): readonly string[] {
  return [...(byStem.get(word) ?? [])];
}

export function isWeak(word: string): boolean {
  return WEAK.has(word);
}

/** True for a verb that the groups know: what a sentence that begins with it wants done. */
export function isKnownWord(word: string): boolean {
  return byStem.has(word);
}
