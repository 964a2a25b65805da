import { spend } from '../allowance';
import { readArithmetic } from '../readers/arithmetic';
import { readFile } from '../readers/file';
import { readHttp } from '../readers/http';
import { readJson } from '../readers/json';
import { readRegistered } from '../readers/registered';
import { readWeather } from '../readers/weather';
import type { TokenText } from '../text/token';
import type { Reader, ReadContext, Reading } from './reading';

const READERS: readonly Reader[] = [
  readArithmetic,
  readJson,
  readHttp,
  readFile,
  readWeather,
  readRegistered,
];

/** What a reading that lacks something has to be better by than a complete one. */
const COMPLETE_BONUS = 0.3;

/** Work of one clause, and of each of its tokens, for the readers of built-in tools. */
const COST = 45;
const TOKEN_COST = 10;

/** The likeliest way to understand a clause, complete or not; undefined where no tool fits. */
export function readClause(clause: TokenText, context: ReadContext): Reading | undefined {
  spend(COST + TOKEN_COST * clause.tokens.length);
  let best: Reading | undefined;
  for (const read of READERS) {
    const reading = read(clause, context);
    if (reading && (!best || rank(reading) > rank(best))) best = reading;
  }
  return best;
}

function rank({ score, problem }: Reading): number {
  return problem ? score : score + COMPLETE_BONUS;
}
