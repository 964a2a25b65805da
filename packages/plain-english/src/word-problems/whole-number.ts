import { combine, evaluate, type Expression, numberOf } from '../arithmetic/expression';
import { cleanNumber } from '../text/quantity';

const EXACT_UP = /\b(?:fewest|minimum|least|smallest)\b/;
const EXACT_DOWN = /\b(?:full|fully|complete|completely|whole|entire|most|maximum|largest|greatest|max)\b/;
/** `how many full bags must I buy`: none of what is needed is left out. */
const WANTED = /\b(?:must|need|have to|has to)\b/;
const NEEDED =
  /\b(?:need\w*|buy|book|order|must|have to|has to|required?|requires|should|takes?|rent|hire|get through|enough|trips|runs)\b/;
const POSSIBLE = /\b(?:fits?|can|could|makes?|cut|get|gets|fill\w*|hold|afford|possible|may|room|carry)\b/;

/** The quotient as whole things: as many as are needed, or as many as there is enough for; undefined where neither is said. */
export function wholeQuotient(expression: Expression, asked: string): Expression | undefined {
  if (expression.kind !== 'operation' || expression.operation !== 'divide') return undefined;
  const [a, b] = [evaluate(expression.a), evaluate(expression.b)];
  const isUp = roundsUp(asked);
  if (a === undefined || b === undefined || isUp === undefined || b <= 0) return undefined;
  const rest = cleanNumber(a - Math.floor(cleanNumber(a / b)) * b);
  const whole = isUp
    ? combine('add', expression.a, numberOf(cleanNumber(b - rest)))
    : combine('subtract', expression.a, numberOf(rest));
  return combine('divide', whole, expression.b);
}

function roundsUp(asked: string): boolean | undefined {
  if (EXACT_UP.test(asked) || (WANTED.test(asked) && !/\b(?:most|max\w*|largest|greatest)\b/.test(asked)))
    return true;
  if (EXACT_DOWN.test(asked)) return false;
  if (NEEDED.test(asked)) return true;
  return POSSIBLE.test(asked) ? false : undefined;
}
