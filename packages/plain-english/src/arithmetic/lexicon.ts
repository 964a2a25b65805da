import type { CalculatorOperation } from '../known-tools';
import type { Meaning, UnaryName, Verb } from './meaning';

export type { FunctionName, Meaning, QuestionName, UnaryName, Verb } from './meaning';

const meanings = new Map<string, Meaning>();

function define(meaning: Meaning, phrases: string): void {
  for (const phrase of phrases.split('|')) meanings.set(phrase.trim(), meaning);
}

const infix = (operation: CalculatorOperation, phrases: string, reversed = false): void =>
  define({ type: 'infix', operation, ...(reversed ? { reversed } : {}) }, phrases);
const verb = (name: Verb, phrases: string): void => define({ type: 'verb', verb: name }, phrases);
const unary = (name: UnaryName, position: 'before' | 'after' | 'any', phrases: string): void =>
  define({ type: 'unary', name, position }, phrases);

infix('add', '+|plus|added to|increased by|added with|together with|raised by|in addition to');
infix('add', 'more than|greater than|larger than|bigger than', true);
infix(
  'subtract',
  '-|−|–|minus|less|decreased by|reduced by|lowered by|diminished by|without|take away from it',
);
infix(
  'subtract',
  'subtracted from|taken from|taken away from|deducted from|less than|fewer than|smaller than|removed from|taken off',
  true,
);
infix('multiply', '*|×|·|times|times by|timed by|multiplied by|multiplied with|lots of|groups of');
infix(
  'divide',
  '/|÷|divided by|divided through|divided through by|split by|shared equally by|shared out between|shared out among|shared equally among|shared equally between|shared evenly among|shared evenly between|as a fraction of|as a proportion of|as a share of|divided between|divided among|split between|split among|split into|shared between|shared among|shared by|divided equally among|divided equally between|split evenly between|split evenly among',
);
define({ type: 'infix', operation: 'divide', tight: true }, ':|over');
define(
  { type: 'infix', operation: 'divide', percent: true },
  'as a percentage of|as a percent of|as percentage of|as percent of|as % of|as a % of',
);
// `12% of what is 60`
infix('divide', 'of what is|of what number is|of which number is|of what amount is', true);
infix('divide', 'go into|goes into|fit into|fits into|fit in|fits in|fit inside|go in|divided into', true);

verb(
  'add',
  'add|adding|adds|addition of|addition|sum|sum up|add up|add together|total up|combine|tally|tack on|tally up|throw in|adding up',
);
verb(
  'subtract',
  'subtract|subtracting|subtracts|subtraction of|subtraction|deduct|deducting|take away|taking away|remove|substract|substracting|knock off|take off|knock|lose|drop',
);
verb('take', 'take|taking');
verb('multiply', 'multiply|multiplying|multiplies|multiplication of|multiplication|times it');
verb('divide', 'divide|dividing|divides|division of|division');
verb('split', 'split|splitting|share|sharing|distribute');
verb('increase', 'increase|increasing|raise|grow|bump up|bump');
verb('decrease', 'decrease|decreasing|reduce|reducing|lower|cut');
verb(
  'start',
  'start with|starting with|start from|starting from|begin with|beginning with|start at|given|starting at|begin at',
);

define({ type: 'function', name: 'sum' }, 'sum of|total of|sum');
define({ type: 'function', name: 'product' }, 'product of|product');
define(
  { type: 'function', name: 'difference' },
  'difference between|how much more|how many more|how much bigger|how much larger|how much greater|difference of|difference|gap between',
);
define({ type: 'function', name: 'quotient' }, 'quotient of|quotient|ratio of|ratio between|ratio');
define(
  { type: 'function', name: 'average' },
  'average of|average|mean of|mean value of|arithmetic mean of|mean|averaging|average out',
);
verb('add', 'sum up|sum together|total these|total these up|add these|add these up|sum these|sum these up');
// `the sum` alone points back; with what it is the sum of it is a new one.
for (const [phrase, meaning] of [...meanings]) {
  if (meaning.type === 'function' && / (?:of|between)$/.test(phrase)) meanings.set(`the ${phrase}`, meaning);
}

unary('double', 'any', 'double|doubling|doubled|twice|two times');
unary('triple', 'any', 'triple|tripling|tripled|thrice|treble');
unary('quadruple', 'any', 'quadruple|quadrupled');
unary(
  'halve',
  'any',
  'halve|halving|halved|cut in half|divide in half|split in half|half it|cut it in half|split it in half|divide it in half',
);
unary('square', 'any', 'square|squaring|squared|square of|the square of|times itself|multiplied by itself');
unary('cube', 'any', 'cube|cubed|cube of|cubing');
unary('double', 'before', 'double of');
unary('triple', 'before', 'triple of');

'half third quarter fifth sixth seventh eighth ninth tenth'.split(' ').forEach((word, index) => {
  const parts = index + 2;
  define({ type: 'fraction', parts }, `${word}|${word === 'half' ? 'halves' : `${word}s`}`);
});
define({ type: 'fraction', parts: 100 }, 'hundredth|hundredths');

for (const word of 'by from to and of off between among amongst into with on than as for in at onto through'.split(
  ' ',
)) {
  define({ type: 'particle', word }, word);
}
define({ type: 'particle', word: 'and' }, '&|and also|as well as');
define(
  { type: 'particle', word: 'off' },
  'off of|discount on|discount off|reduction on|discounted from|discount from',
);
define({ type: 'particle', word: 'of' }, 'out of');
define({ type: 'particle', word: 'from' }, 'away from|off from');
define(
  { type: 'particle', word: 'tip' },
  'tip on|tip for|vat on|tax on|interest on|sales tax on|tip of|commission on|fee on|gratuity on',
);
define(
  { type: 'particle', word: 'ways' },
  'ways|equal parts|parts|equal groups|groups|pieces|portions|equal shares|equal pieces|even parts',
);
define({ type: 'particle', word: 'away' }, 'away');
define({ type: 'particle', word: 'negative' }, 'negative');

define(
  { type: 'pronoun' },
  'it|that|this|the result|the answer|result|answer|the outcome|the output|the number|that number|that result|this result|that amount|what you get|the previous result|the value|that value|the last result|the total|that total|the sum|the product|the difference|the quotient|whatever you get|each share|each part|each portion|every share|each of them|whatever that is|the previous answer|the last answer|that answer|that sum|that product|the amount|the average|the final result|what remains|the rest|this number|the remainder|the new total',
);
define(
  { type: 'pronoun', plural: true },
  'them|both|those|the results|these|the two|the two results|both results|the answers|both answers|them together|those together|the two numbers|the two answers',
);

define({ type: 'separator', strong: false }, ',');
define(
  { type: 'separator', strong: true },
  '.|;|?|!|then|and then|after that|afterwards|next|finally|lastly|and finally|after which|followed by|before|subsequently|and after that|…|:|and|but',
);
define(
  { type: 'question', name: 'percentOf' },
  'what percent of|what percentage of|what percentage is|what percent is|how many percent of|how many percent is|what % of|what % is',
);
define({ type: 'question', name: 'howMany' }, 'how many');
define({ type: 'question', name: 'howMuch' }, 'how much|how far');
define({ type: 'question', name: 'byHowMuch' }, 'by how much|by how many|by what amount');

const unsupported = (what: string, phrases: string): void => define({ type: 'unsupported', what }, phrases);
unsupported(
  'powers',
  '^|**|power|to the power of|to the power|raised to|raised to the power of|exponent|exponential',
);
unsupported('roots', 'square root|square root of|sqrt|cube root|root of|√|root');
unsupported(
  'remainders',
  'the remainder of|the remainder when|the remainder if|modulo|mod|modulus|remainder of|remainder when|remainder',
);
unsupported('factorials', 'factorial|factorial of');
unsupported('logarithms', 'log|logarithm|ln|log of|logarithm of');
unsupported('trigonometry', 'sine|cosine|tangent|sin|cos|tan|sine of|cosine of');
unsupported('statistics', 'median|median of|standard deviation|variance');
unsupported(
  'unknowns',
  'more than what|less than what|more than what number|less than what number|greater than what|smaller than what',
);
unsupported('integrals and derivatives', 'integral|derivative|integrate|differentiate');

define(
  { type: 'filler' },
  "a|an|the|is|are|there|'s|please|equals|equal|=|equal to|what|whats|me|you|i|we|do|does|get|if|when|how many times|as much as|as many as|as big as|as large as|one|each|equally|evenly|altogether|in total|all|together|up|out|so|number|numbers|value|values|quantity|my|your|our|number of|in all|each other|and a total of|will|can|would|a rate of|the rate of|rate of|a factor of|the factor of|factor of|of all|the two numbers|now|just|also|amount|result of|the result of|the answer to|the value of|value of|answer to|result to|answer of|amongst them|number which is|number that is",
);
define({ type: 'particle', word: 'and' }, 'and');
define({ type: 'separator', strong: true }, 'and then|then');

/** Most words of a phrase. */
export const MAX_PHRASE_WORDS = 5;

const prefixes = new Set<string>();
for (const phrase of meanings.keys()) {
  for (let at = phrase.indexOf(' '); at !== -1; at = phrase.indexOf(' ', at + 1))
    prefixes.add(phrase.slice(0, at));
}

/** True where some phrase goes on after these words. */
export function beginsPhrase(words: string): boolean {
  return prefixes.has(words);
}

/** The meaning of a phrase in lower case, its words one space apart. */
export function meaningOf(phrase: string): Meaning | undefined {
  return meanings.get(phrase);
}

/** Words that only phrases have: `divided by`. */
const PARTICIPLES = 'divided multiplied subtracted deducted increased decreased reduced'.split(' ');

/** Words worth forgiving a slip in: verbs and operations of five letters and more. */
export const correctable: readonly string[] = [...meanings.entries()]
  .filter(
    ([phrase, { type }]) =>
      /^[a-z]{5,}$/.test(phrase) && ['infix', 'verb', 'function', 'unary'].includes(type),
  )
  .map(([phrase]) => phrase)
  .concat(PARTICIPLES);
