import { spend } from '../allowance';
import { isKnownTool } from '../known-tools';
import { findUnread, isOrdered } from '../reading/light';
import type { ReadContext, Reader, Reading } from '../reading/reading';
import { referenceBack } from '../reading/steps';
import { setOf, wordsTagged } from '../text/lexicon/words';
import { stem, wordsOf } from '../text/stem';
import type { Token, TokenText } from '../text/token';
import type { ToolDescription } from '../types';
import { findArguments, type Earlier } from './arguments';
import { termsOf, type ToolTerms } from './terms';

/** Words around a name and around arguments. */
const AROUND = wordsTagged('call-words');
/** A clause with one of these asks what is so, and orders nothing. */
const ASKING = setOf('who what whats which whose how is are am do does');
const JOINING = setOf('and then also');
/** Work of comparing a clause with a tool, and of reading its arguments. */
const COMPARE_COST = 3;
const READ_COST = 60;
const TOKEN_COST = 4;
/** How much better the words of a clause have to fit one tool than the next. */
const MIN_MARGIN = 0.2;

/** Reads a clause as a call of a registered tool, which it names or whose words it uses. */
export const readRegistered: Reader = (clause, context) => {
  const words = clause.tokens.filter(({ kind }) => kind === 'word');
  const clues: Said = {
    stems: new Set(words.map(({ lower }) => stem(lower))),
    names: new Set(words.map(nameIn)),
    isShort: clause.tokens.length <= 3,
  };
  const readings: { readonly tool: ToolDescription; readonly fit: number; readonly reading: Reading }[] = [];
  let lack: ReturnType<Reader>;
  for (const tool of context.tools) {
    if (isKnownTool(tool.name)) continue;
    spend(COMPARE_COST);
    const terms = termsOf(tool);
    const fit = fitOf(clues, terms);
    if (fit === 0) continue;
    const reading = readCall(clause, context, terms, fit);
    if ('problem' in reading)
      lack =
        fit >= 2 || [...terms.verbs].some((verb) => clues.stems.has(verb)) ? heavier(lack, reading) : lack;
    else if (findUnread(clause.tokens, reading.read).length === 0) readings.push({ tool, fit, reading });
    else lack ??= reading;
  }
  const [best, next] = readings.sort((one, other) => other.fit - one.fit);
  if (best && next && best.fit - next.fit < MIN_MARGIN) {
    const names = `${best.tool.name}, ${next.tool.name}`;
    return { problem: { message: `Several tools fit equally well: ${names}.` }, weight: 0.9 };
  }
  return best?.reading ?? lack;
};

/** Reads a clause as a call of the only tool that is offered, whether its words choose it or not. */
export const readGiven: Reader = (clause, context) => {
  const [tool] = context.tools;
  return tool && readCall(clause, context, termsOf(tool), 1, true);
};

function heavier(one: ReturnType<Reader>, other: ReturnType<Reader>): ReturnType<Reader> {
  return one && other && one.weight >= other.weight ? one : (other ?? one);
}

/** What a clause says, for all tools. */
interface Said {
  readonly stems: ReadonlySet<string>;
  /** Its words as names: `lookup_order` and `lookupOrder` are `lookup order`. */
  readonly names: ReadonlySet<string>;
  readonly isShort: boolean;
}

const nameIn = ({ text }: Token): string => wordsOf(text).join(' ');

/** How well the words of a clause fit a tool: 2 and more if they are its name, 0 if they do not choose it. */
function fitOf({ stems, names, isShort }: Said, terms: ToolTerms): number {
  const { name, nameStems, verbs, isReading } = terms;
  if (names.has(name) && (name.includes(' ') || isShort)) return 3;
  const count = (of: ReadonlySet<string>): number => [...of].filter((one) => stems.has(one)).length;
  const named = count(nameStems) / nameStems.size;
  if (named === 1) return 2 + nameStems.size / 100;
  if (!isReading && count(verbs) === 0) return 0;
  const described = [...stems].filter((one) => one.length > 2 && terms.stems.has(one)).length;
  return named < 0.5 && described < 2 ? 0 : named + Math.min(described, 5) / 10;
}

function readCall(
  clause: TokenText,
  context: ReadContext,
  terms: ToolTerms,
  fit: number,
  isGiven = false,
): Exclude<ReturnType<Reader>, undefined> {
  const { tool, slots } = terms;
  spend(READ_COST + clause.tokens.length * (TOKEN_COST + slots.length / 10));
  const { args, read, filled, unclear } = findArguments(clause, terms, earlierOf(context));
  const details = { toolName: tool.name, extractedArgs: args };
  if (!terms.isReading && !isGiven && !isOrder(clause, terms, read))
    return {
      problem: { message: `Whether ${tool.name} is to be run is not clear.`, ...details },
      weight: 0.5,
    };
  const explained = new Set(read);
  for (const token of clause.tokens) if (isAbout(token, terms, filled)) explained.add(token);
  const unread = findUnread(clause.tokens, explained).length;
  // Little of the clause is about this tool.
  if (fit < 2 && unread > 1) return { steps: [], read: explained, weight: 0 };
  const weight = Math.min(0.9, 0.7 + fit / 10) - unread / 20;
  if (unclear !== undefined) return { problem: { message: unclear, ...details }, weight };
  const missing = slots.find((slot) => slot.parameter.required && !filled.has(slot));
  if (missing) {
    const what = missing.parameter.description.replace(/\.$/, '') || `${tool.name} needs it`;
    const message = `"${missing.name}" is missing: ${what}.`;
    return { problem: { message, missing: missing.name, ...details }, weight };
  }
  return { steps: [{ toolName: tool.name, args }], read: explained, weight: fit >= 2 ? 1.5 : 0.9 };
}

/** True if a clause tells to do what a tool does: with its verb in a form that orders, and not after another request. */
function isOrder({ source, tokens }: TokenText, terms: ToolTerms, read: ReadonlySet<Token>): boolean {
  const at = tokens.findIndex(
    (token) => token.kind === 'word' && (nameIn(token) === terms.name || isOrdering(token, terms)),
  );
  if (at === -1 || tokens.some((token) => !read.has(token) && ASKING.has(token.lower))) return false;
  const first = tokens.findIndex((token) => read.has(token));
  // `get user A1 and delete it` are two requests.
  const isSecond =
    first !== -1 && first < at && tokens.slice(first, at).some(({ lower }) => JOINING.has(lower));
  const isQuestion = /^\s*\?/.test(source.slice(tokens.at(-1)?.end ?? 0));
  const isPolite = /^(?:please )?(?:can|could|would|will) /i.test(source.slice(tokens[0]?.start ?? 0));
  return isOrdered(tokens, at) && !isSecond && (!isQuestion || isPolite);
}

/** `delete`, and not `deleted`, which says what has been done. */
function isOrdering({ lower }: Token, { verbs }: ToolTerms): boolean {
  return verbs.has(stem(lower)) && (!lower.endsWith('ed') || lower.length < 5);
}

function earlierOf(context: ReadContext): Earlier | undefined {
  const reference = referenceBack(context);
  const isPlain = isKnownTool(context.steps.at(-1)?.toolName);
  return reference === undefined ? undefined : { reference, isPlain };
}

/** True for a word by which a clause says which tool is meant, or what one of its values is. */
function isAbout(token: Token, terms: ToolTerms, filled: ReadonlySet<unknown>): boolean {
  const { kind, lower } = token;
  if (kind !== 'word') return false;
  const one = stem(lower);
  if (AROUND.has(lower) || terms.stems.has(one) || terms.verbs.has(one)) return true;
  if (nameIn(token) === terms.name) return true;
  return terms.slots.some((slot) => filled.has(slot) && slot.stems.has(one));
}
