import { stem } from '../text/stem';
import { singular } from './kinds';
import type { Token } from '../text/token';

/** A word of a sentence with its contractions written out: `don't` is two, do and not. */
export interface Word {
  readonly lower: string;
  readonly token: Token;
}

const WHOLE = new Map(
  `im i am,ive i have,dont do not,doesnt does not,didnt did not,cant can not,cannot can not,can't can not,won't will not,wont will not,
  shan't shall not,ain't is not,isnt is not,whats what is,wheres where is,whos who is,whens when is,hows how is,let's let us,
  gonna going to,wanna want to,u you,ur your,r are`
    .split(/,\s*/)
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
);
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(.+)n't$/, 'not'],
  [/^(.+)'m$/, 'am'],
  [/^(.+)'re$/, 'are'],
  [/^(.+)'ve$/, 'have'],
  [/^(.+)'ll$/, 'will'],
  [/^(.+)'d$/, 'would'],
];
/** Words after which `'s` is `is`. */
const BEFORE_IS = new Set(
  'what where who when how which that there here he she it everything name why whose'.split(' '),
);

export function toWords(tokens: readonly Token[]): Word[] {
  const words = tokens.flatMap((token, at) =>
    spellings(token, tokens[at - 1]).map((lower) => ({ lower, token })),
  );
  return words.map((word, at) =>
    word.lower === 'name' && ['last', 'family'].includes(words[at - 1]?.lower ?? '')
      ? { ...word, lower: 'surname' }
      : word,
  );
}

function spellings({ kind, lower }: Token, before: Token | undefined): readonly string[] {
  if (kind !== 'word') return [lower];
  if (lower === "'s") return [BEFORE_IS.has(before?.lower ?? '') ? 'is' : lower];
  const whole = WHOLE.get(lower);
  if (whole !== undefined) return whole.split(' ');
  for (const [pattern, ending] of ENDINGS) {
    const base = pattern.exec(lower)?.[1];
    if (base !== undefined) return [base, ending];
  }
  return [lower];
}

/** Words that mean the same in what people tell of themselves, the first for all of them. */
export const SAME = `
  film movie / mother mum mom mama mommy mummy ma / father dad papa daddy pa / marry married wedding marrying / child
  kid / boss manager supervisor / car automobile / flat apartment condo / home house place / job profession occupation
  career living / colour color / favourite favorite fave fav / holiday vacation / travel trip journey travelling
  traveling travels / weigh weight / tall height / salary wage wages earnings income earn / tv television telly / bike
  bicycle cycle / medicine medication meds drug / password passcode passphrase / pin code / birthday born birth
  birthdate bday / town city / surname lastname / phone telephone mobile cell cellphone / email mail e-mail /
  grandmother grandma granny nan nana / grandfather grandpa granddad grandad / appointment appt / brother bro / sister
  sis / allergic allergy allergies allergen / drink beverage / doctor gp physician / flight fly flying flew flown / gym
  fitness / wifi wi-fi wlan / begin start starts starting began / kilometre km kilometer kilometers kilometres kms /
  litre l liter litres liters / kilo kg kgs kilogram kilograms kilos / metre m meter meters metres / centimetre cm
  centimeters centimetres centimeter / gram g grams gramme / hour h hr hrs hours / minute min mins minutes / euro eur
  euros € / dollar usd dollars $ bucks / pound gbp pounds £ quid / employer company firm / reference ref
`
  .trim()
  .split(/\s+\/\s+/)
  .map((group) => group.split(/\s+/));
const CONCEPTS = new Map<string, string>();
for (const words of SAME) {
  for (const word of words) CONCEPTS.set(word, words[0] ?? word);
}

const IRREGULAR_VERBS = pairsOf(
  'went go gone go goes go does do did do done do has have had have is be are be am be was be were be been be bought buy ' +
    'brought bring caught catch came come drank drink drunk drink drove drive driven drive ate eat eaten eat fell fall felt feel ' +
    'found find flew fly flown fly forgot forget got get gotten get gave give given give grew grow grown grow heard hear kept ' +
    'keep knew know known know left leave lent lend lost lose made make met meet paid pay read read ran run said say saw see ' +
    'seen see sold sell sent send slept sleep spent spend spoke speak spoken speak stood stand swam swim took take taken take ' +
    'taught teach thought think told tell understood understand woke wake wore wear worn wear won win wrote write written ' +
    'write began begin begun begin broke break broken break built build chose choose chosen choose hid hide hidden hide hung ' +
    'hang led lead lay lie put put set set rode ride ridden ride sang sing sat sit quit quit cost cost married marry moved ' +
    'move stung sting bitten bite bit bite stole steal stolen steal threw throw thrown throw fought fight fed feed dug dig held hold lived live loved love owned own parked park planted plant stored store liked like hated hate weighed weigh',
);

function pairsOf(text: string): ReadonlyMap<string, string> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? word] as const] : [])));
}

/** The base form of a verb: `drives`, `drove`, `driving` are `drive`. */
export function baseForm(word: string): string {
  return IRREGULAR_VERBS.get(word) ?? word;
}

/** What a word stands for: the same for forms of one word, and for words that mean the same. */
export function conceptOf(word: string): string {
  const direct = CONCEPTS.get(word) ?? CONCEPTS.get(singular(word));
  if (direct !== undefined) return direct;
  const base = baseForm(word);
  return stem(CONCEPTS.get(base) ?? singular(base));
}

/** Words that carry nothing that a statement has to have. */
export const LIGHT = new Set(
  (
    'a an the this that these those it its my your our his her their i me we us you he she they them mine yours ours of in on at ' +
    "to for from by into onto about as is are was were be been being am do does did done have has had 's and or but so then " +
    'what which who whom whose when where why how not no never any some all each every much many can could will would shall ' +
    'should may might must please just also too very really again now currently actually still usually normally often ' +
    'always ever there here kind sort type thing things one ones said say told tell mentioned mention asked remember recall ' +
    'recalled know known go going get got need want like per exactly if than out over most more own called named ' +
    '? . , ! : ; " ( ) - – — … & = happen happens supposed generally myself anything something anyone someone again already yet ' +
    'today currently these days did ago last use used explain describe define mean meaning definition tell'
  ).split(' '),
);

/** The concepts of words that carry something. */
export function termsOf(words: readonly string[]): string[] {
  return words.filter((word) => !LIGHT.has(word) && /[\p{L}\p{N}€$£]/u.test(word)).map(conceptOf);
}
