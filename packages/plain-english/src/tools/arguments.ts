import { isObject } from '../text/json-text';
import { setOf } from '../text/lexicon/words';
import { stem } from '../text/stem';
import { dateAt, toIsoDate } from '../text/temporal';
import { lowerAt, type Token, type TokenKind, type TokenText } from '../text/token';
import type { Slot, ToolTerms } from './terms';
import { choicesAt, isIdLike, numberAt, readValue, type Value } from './values';

/** What a clause gives a tool. */
interface Arguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** The tokens of values, and of the words before them. */
  readonly read: ReadonlySet<Token>;
  readonly filled: ReadonlySet<Slot>;
  /** Why what is given is not clear. */
  readonly unclear?: string | undefined;
}

/** The output of the call before. */
export interface Earlier {
  readonly reference: string;
  /** True if `it` can mean nothing else; after a registered tool it may be what that one was about. */
  readonly isPlain: boolean;
}

const TIES = setOf(': = is of to as -> named called equals');
const POINTING = setOf('result results answer output outcome');
const PRONOUNS = setOf('it that this them');

/** Tokens that are values by themselves, and what the parameters that take them are about. */
const KINDS: readonly (readonly [kind: TokenKind | 'id', about: RegExp])[] = [
  ['email', /\be-?mail|\brecipient|\bto\b/],
  ['url', /\burl|\blink|\bweb ?(?:site|page|address)/],
  ['phone', /\bphone|\bmobile/],
  ['file', /\bfile|\bpath/],
  ['time', /\btime\b|\bhour|\bwhen\b/],
  ['id', /\bid\b|\bids\b|\bnumber|\bcode|\bsku|\bkey\b|\breference/],
];

/** Finds the arguments of a call in the words of a clause. @param earlier what came of the call before */
export function findArguments(text: TokenText, terms: ToolTerms, earlier: Earlier | undefined): Arguments {
  return new ArgumentReader(text, terms, earlier).read();
}

class ArgumentReader {
  private readonly args: Record<string, unknown> = {};
  private readonly taken = new Set<Token>();
  private readonly filled = new Set<Slot>();
  private unclear: string | undefined;

  constructor(
    private readonly text: TokenText,
    private readonly terms: ToolTerms,
    private readonly earlier: Earlier | undefined,
  ) {}

  private get tokens(): readonly Token[] {
    return this.text.tokens;
  }

  read(): Arguments {
    this.readObject();
    this.readLabelled();
    this.readCounted();
    this.readChoices();
    this.readKinds();
    this.readOnly((at) => this.tokenAt(at, 'quoted'), isText);
    this.readOnly((at) => numberAt(this.tokens, at), isNumeric);
    this.readMentioned();
    this.readEarlier();
    return { args: this.args, read: this.taken, filled: this.filled, unclear: this.unclear };
  }

  /** All arguments as one JSON object. */
  private readObject(): void {
    const [at, other] = [...this.tokens.keys()].filter((one) => this.tokens[one]?.kind === 'json');
    const value = at === undefined ? undefined : this.tokens[at]?.value;
    if (at === undefined || other !== undefined || !isObject(value) || this.labelBefore(at)) return;
    const named = new Map(this.terms.slots.map((slot) => [slot.name, slot]));
    for (const name of Object.keys(value)) {
      const slot = named.get(name);
      if (!slot) return;
      this.filled.add(slot);
    }
    Object.assign(this.args, value);
    this.take(at, at + 1);
  }

  private labelBefore(at: number): boolean {
    const before = TIES.has(lowerAt(this.tokens, at - 1)) ? at - 2 : at - 1;
    return this.tokens.some((_, from) => from <= before && this.labelAt(from)?.to === before + 1);
  }

  /** `orderId A17`, `order id: A17`, `reason=damaged`. */
  private readLabelled(): void {
    for (const at of this.free()) {
      const label = this.labelAt(at);
      const value = label && this.valueAfter(label);
      if (!label || !value) continue;
      if (this.filled.has(label.slot)) this.unclear = `"${label.slot.name}" is given more than once.`;
      this.fill(label.slot, value, at);
    }
  }

  private valueAfter({ slot, to }: Label): Value | undefined {
    const tie = lowerAt(this.tokens, to);
    const isSigned = tie === ':' || tie === '=';
    const from = TIES.has(tie) ? to + 1 : to;
    // After a text without a sign, as in `flag beta enabled true`, any other label ends it.
    const isLabel = (at: number): boolean => this.labelAt(at, isSigned) !== undefined;
    const pointing = this.pointingAt(from);
    if (pointing !== undefined && isSigned) return { value: this.earlier?.reference, to: pointing };
    return this.isTaken(from)
      ? undefined
      : readValue(this.text, from, slot, isSigned, this.terms.choices, isLabel);
  }

  /** `the result`, `it`: the token after it, if there is something that it points to. */
  private pointingAt(at: number): number | undefined {
    if (this.earlier === undefined) return undefined;
    const noun = lowerAt(this.tokens, at) === 'the' ? at + 1 : at;
    const word = lowerAt(this.tokens, noun);
    return POINTING.has(word) || (this.earlier.isPlain && PRONOUNS.has(word)) ? noun + 1 : undefined;
  }

  /** @param isSigned only with `:` or `=` after it */
  private labelAt(at: number, isSigned = false): Label | undefined {
    if (this.tokens[at]?.kind !== 'word') return undefined;
    let longest: Label | undefined;
    for (const { slot, words } of this.terms.labels.get(stem(lowerAt(this.tokens, at))) ?? []) {
      const to = at + words.length;
      if (longest && to <= longest.to) continue;
      const isHere = words.every((word, offset) => isSame(lowerAt(this.tokens, at + offset), word));
      if (isHere && (!isSigned || /^[:=]$/.test(lowerAt(this.tokens, to)))) longest = { slot, to };
    }
    return longest;
  }

  /** `for 2 hours`, `5 copies`. */
  private readCounted(): void {
    for (const at of this.free()) {
      const number = numberAt(this.tokens, at);
      if (!number) continue;
      const noun = stem(lowerAt(this.tokens, number.to));
      const slots = this.open().filter((slot) => isNumeric(slot) && slot.nameStems.has(noun));
      const [slot, other] = slots;
      if (slot && !other) this.fill(slot, { ...number, to: number.to + 1 }, at);
    }
  }

  /** The exact words of an allowed text, if one parameter alone allows it. */
  private readChoices(): void {
    for (const at of this.free()) {
      const choices = choicesAt(this.tokens, at, this.terms.choices).filter(
        ({ slot }) => !this.filled.has(slot),
      );
      const [only, other] = choices;
      if (only && other)
        this.unclear = `Which parameter "${this.tokens[at]?.text ?? ''}" is for is not clear.`;
      else if (only) this.fill(only.slot, only, at);
    }
  }

  /** The one date, address or id, if one parameter takes such a text. */
  private readKinds(): void {
    this.readOnly((at) => dateAt(this.text, at), takesText(/\b(?:date|day|when)\b/));
    for (const [kind, about] of KINDS) this.readOnly((at) => this.tokenAt(at, kind), takesText(about));
  }

  private tokenAt(at: number, wanted: TokenKind | 'id'): Value | undefined {
    const { kind, text, value } = this.tokens[at] ?? { kind: 'symbol', text: '' };
    const isId = wanted === 'id' && kind === 'word' && isIdLike(text);
    return isId || kind === wanted ? { value: kind === 'quoted' ? value : text, to: at + 1 } : undefined;
  }

  /** The only value of a kind goes to the only parameter that can take it, of several to the only required one. */
  private readOnly(valueAt: (at: number) => Value | undefined, takes: (slot: Slot) => boolean): void {
    const values: { at: number; value: Value }[] = [];
    for (const at of this.free()) {
      const value = at < (values.at(-1)?.value.to ?? 0) ? undefined : valueAt(at);
      if (value) values.push({ at, value });
    }
    const [only, other] = values;
    if (!only || other) return;
    const slots = this.open().filter(takes);
    const required = slots.filter(({ parameter }) => parameter.required);
    const isNumber = typeof only.value.value === 'number';
    const slot = slots.length === 1 ? slots[0] : required.length === 1 && !isNumber ? required[0] : undefined;
    if (slot) this.fill(slot, only.value, only.at);
  }

  /** A switch that is named is on: `fragile`. */
  private readMentioned(): void {
    for (const at of this.free()) {
      const label = this.labelAt(at);
      const isSwitch = label?.slot.parameter.type === 'boolean' && !this.filled.has(label.slot);
      if (isSwitch && lowerAt(this.tokens, at) === label.slot.labels[0]?.join(' '))
        this.fill(label.slot, { value: true, to: at + 1 }, at);
    }
  }

  /** `send it`: what came of the call before goes to the only required parameter that is left. */
  private readEarlier(): void {
    const at = this.tokens.findIndex(
      (token, index) => !this.taken.has(token) && this.pointingAt(index) !== undefined,
    );
    const [slot, other] = this.open().filter(
      ({ parameter, choices }) => parameter.required && choices.length === 0,
    );
    if (at === -1 || !slot || other || this.earlier === undefined) return;
    this.fill(slot, { value: this.earlier.reference, to: this.pointingAt(at) ?? at + 1 }, at);
  }

  private open(): readonly Slot[] {
    return this.terms.slots.filter((slot) => !this.filled.has(slot));
  }

  /** The places of the tokens that are not taken when they are reached. */
  private *free(): Generator<number> {
    for (const at of this.tokens.keys()) if (!this.isTaken(at)) yield at;
  }

  private isTaken(at: number): boolean {
    const token = this.tokens[at];
    return token !== undefined && this.taken.has(token);
  }

  private fill(slot: Slot, { value, to }: Value, from: number): void {
    this.args[slot.name] = this.written(slot, value);
    this.filled.add(slot);
    this.take(from, to);
  }

  /** A date in the form that the description asks for. */
  private written(slot: Slot, value: unknown): unknown {
    if (typeof value !== 'string' || !/yyyy-mm-dd/.test(slot.about) || value === this.earlier?.reference)
      return value;
    const iso = toIsoDate(value);
    if (iso === undefined) this.unclear = `"${slot.name}" has to be a date as YYYY-MM-DD.`;
    return iso;
  }

  private take(from: number, to: number): void {
    for (const token of this.tokens.slice(from, to)) this.taken.add(token);
  }
}

interface Label {
  readonly slot: Slot;
  /** The token after it. */
  readonly to: number;
}

function isSame(token: string, word: string): boolean {
  return token === word || (token.length > 3 && stem(token) === stem(word));
}

function isNumeric({ parameter: { type } }: Slot): boolean {
  return type === 'number' || type === 'integer';
}

function isText({ parameter: { type }, choices }: Slot): boolean {
  return (type === 'string' || type === 'any') && choices.length === 0;
}

function takesText(about: RegExp): (slot: Slot) => boolean {
  return (slot) => isText(slot) && about.test(slot.about);
}
