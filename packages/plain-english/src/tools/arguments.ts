import { isObject } from '../text/json-text';
import { setOf } from '../text/lexicon/words';
import { stem } from '../text/stem';
import { dateAt, toIsoDate } from '../text/temporal';
import { lowerAt, type Token, type TokenText } from '../text/token';
import type { Slot, ToolTerms } from './terms';
import { choicesAt, isIdLike, numberAt, readValue, type Value } from './values';

/** What a clause gives a tool. */
export interface Arguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** The tokens of values, and of the words before them. */
  readonly read: ReadonlySet<Token>;
  readonly filled: ReadonlySet<Slot>;
  /** Why what is given is not clear. */
  readonly unclear?: string;
}

/** The output of the call before. */
export interface Earlier {
  readonly reference: string;
  /** True where `it` can mean nothing else; after a registered tool it may be what that one was about. */
  readonly isPlain: boolean;
}

const TIES = setOf(': = is of to as -> named called equals');
const POINTING = setOf('result results answer output outcome');
const PRONOUNS = setOf('it that this them');

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

  read(): Arguments {
    this.readObject();
    this.readLabelled();
    this.readCounted();
    this.readChoices();
    this.readKinds();
    this.readOnly((at) => this.quotedAt(at), isText);
    this.readOnly((at) => numberAt(this.text.tokens, at), isNumeric);
    this.readMentioned();
    this.readEarlier();
    return {
      args: this.args,
      read: this.taken,
      filled: this.filled,
      ...(this.unclear === undefined ? {} : { unclear: this.unclear }),
    };
  }

  /** All arguments as one JSON object. */
  private readObject(): void {
    const { tokens } = this.text;
    const [at, other] = [...tokens.keys()].filter((one) => tokens[one]?.kind === 'json');
    const value = at === undefined ? undefined : tokens[at]?.value;
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
    const before = TIES.has(lowerAt(this.text.tokens, at - 1)) ? at - 2 : at - 1;
    return [...this.text.tokens.keys()].some((from) => {
      const label = from <= before ? this.labelAt(from) : undefined;
      return label !== undefined && label.to === before + 1;
    });
  }

  /** `orderId A17`, `order id: A17`, `reason=damaged`. */
  private readLabelled(): void {
    const { tokens } = this.text;
    for (let at = 0; at < tokens.length; at++) {
      const label = this.isTaken(at) ? undefined : this.labelAt(at);
      const value = label && this.valueAfter(label);
      if (!label || !value) continue;
      if (this.filled.has(label.slot)) this.unclear = `"${label.slot.name}" is given more than once.`;
      this.fill(label.slot, value, at);
      at = value.to - 1;
    }
  }

  private valueAfter({ slot, to }: Label): Value | undefined {
    const { tokens } = this.text;
    const tie = lowerAt(tokens, to);
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

  /** `the result`, `it`: the token after it, where there is something that it points to. */
  private pointingAt(at: number): number | undefined {
    if (this.earlier === undefined) return undefined;
    const noun = lowerAt(this.text.tokens, at) === 'the' ? at + 1 : at;
    const word = lowerAt(this.text.tokens, noun);
    return POINTING.has(word) || (this.earlier.isPlain && PRONOUNS.has(word)) ? noun + 1 : undefined;
  }

  /** @param isSigned only with `:` or `=` after it */
  private labelAt(at: number, isSigned = false): Label | undefined {
    const { tokens } = this.text;
    if (tokens[at]?.kind !== 'word') return undefined;
    let found: Label | undefined;
    for (const { slot, words } of this.terms.labels.get(stem(lowerAt(tokens, at))) ?? []) {
      const to = at + words.length;
      if (found && to <= found.to) continue;
      const isHere = words.every((word, offset) => isSame(lowerAt(tokens, at + offset), word));
      if (isHere && (!isSigned || /^[:=]$/.test(lowerAt(tokens, to)))) found = { slot, to };
    }
    return found;
  }

  /** `for 2 hours`, `5 copies`. */
  private readCounted(): void {
    const { tokens } = this.text;
    for (let at = 0; at < tokens.length; at++) {
      const number = this.isTaken(at) ? undefined : numberAt(tokens, at);
      if (!number) continue;
      const noun = stem(lowerAt(tokens, number.to));
      const slots = this.open().filter((slot) => isNumeric(slot) && slot.nameStems.has(noun));
      const [slot, other] = slots;
      if (slot && !other) this.fill(slot, { ...number, to: number.to + 1 }, at);
    }
  }

  /** The exact words of an allowed text, where one parameter alone allows it. */
  private readChoices(): void {
    const { tokens } = this.text;
    for (let at = 0; at < tokens.length; at++) {
      if (this.isTaken(at)) continue;
      const found = choicesAt(tokens, at, this.terms.choices).filter(({ slot }) => !this.filled.has(slot));
      const [only, other] = found;
      if (only && other) this.unclear = `Which parameter "${tokens[at]?.text ?? ''}" is for is not clear.`;
      else if (only) this.fill(only.slot, only, at);
    }
  }

  /** The one date, address or id where one parameter takes such a text. */
  private readKinds(): void {
    const written =
      (kinds: readonly string[]) =>
      (at: number): Value | undefined => {
        const token = this.text.tokens[at];
        return token && kinds.includes(token.kind) ? { value: token.text, to: at + 1 } : undefined;
      };
    const id = (at: number): Value | undefined => {
      const token = this.text.tokens[at];
      return token?.kind === 'word' && isIdLike(token.text) ? { value: token.text, to: at + 1 } : undefined;
    };
    const about =
      (pattern: RegExp) =>
      (slot: Slot): boolean =>
        isText(slot) && pattern.test(slot.about);
    this.readOnly((at) => dateAt(this.text, at), about(/\b(?:date|day|when)\b/));
    this.readOnly(written(['email']), about(/\be-?mail|\brecipient|\bto\b/));
    this.readOnly(written(['url']), about(/\burl|\blink|\bweb ?(?:site|page|address)/));
    this.readOnly(written(['phone']), about(/\bphone|\bmobile/));
    this.readOnly(written(['file']), about(/\bfile|\bpath/));
    this.readOnly(written(['time']), about(/\btime\b|\bhour|\bwhen\b/));
    this.readOnly(id, about(/\bid\b|\bids\b|\bnumber|\bcode|\bsku|\bkey\b|\breference/));
  }

  private quotedAt(at: number): Value | undefined {
    const token = this.text.tokens[at];
    return token?.kind === 'quoted' ? { value: token.value, to: at + 1 } : undefined;
  }

  /** The only value of a kind goes to the only parameter that can take it, of several to the only required one. */
  private readOnly(valueAt: (at: number) => Value | undefined, takes: (slot: Slot) => boolean): void {
    const values: { at: number; value: Value }[] = [];
    for (let at = 0; at < this.text.tokens.length; at++) {
      const value = this.isTaken(at) ? undefined : valueAt(at);
      if (!value) continue;
      values.push({ at, value });
      at = value.to - 1;
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
    for (const [at, token] of this.text.tokens.entries()) {
      const label = this.isTaken(at) ? undefined : this.labelAt(at);
      const isSwitch = label?.slot.parameter.type === 'boolean' && !this.filled.has(label.slot);
      if (isSwitch && token.lower === label.slot.labels[0]?.join(' '))
        this.fill(label.slot, { value: true, to: at + 1 }, at);
    }
  }

  /** `send it`: what came of the call before goes to the only required parameter that is left. */
  private readEarlier(): void {
    const at = this.text.tokens.findIndex(
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

  private isTaken(at: number): boolean {
    const token = this.text.tokens[at];
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
    for (const token of this.text.tokens.slice(from, to)) this.taken.add(token);
  }
}

interface Label {
  readonly slot: Slot;
  /** The token after it. */
  readonly to: number;
}

function isSame(said: string, word: string): boolean {
  return said === word || (said.length > 3 && stem(said) === stem(word));
}

function isNumeric({ parameter: { type } }: Slot): boolean {
  return type === 'number' || type === 'integer';
}

function isText({ parameter: { type }, choices }: Slot): boolean {
  return (type === 'string' || type === 'any') && choices.length === 0;
}
