import type { TemplateExpression, TemplateOperation, TemplateReference } from './expression-parts';
import { isFunctionCall } from './functions';
import { ESCAPE_SOURCE, unescapeText, matchAt } from './json-escapes';
import { isKeptInteger } from './kept-numbers';

const NAME = /[\p{ID_Start}_][\p{ID_Continue}\p{Join_Control}-]*/uy;
const DOTTED = /\.([\p{ID_Continue}\p{Join_Control}-]+)/uy;
const INDEX = /\[(\d+)\]/y;
/** Characters of a quoted text. The limits keep the time of reading proportional to the text that has the templates. */
const MAX_QUOTED = 1_000;
/** Characters of an expression that has quotes, defaults or functions. */
const MAX_LENGTH = 4_000;
const DOUBLE_QUOTED = new RegExp(`"(?:[^"\\\\]|${ESCAPE_SOURCE}){0,${MAX_QUOTED}}"`, 'y');
/** Within single quotes, two of them stand for one. */
const SINGLE_QUOTED = new RegExp(`'(?:[^'\\\\]|''|${ESCAPE_SOURCE}){0,${MAX_QUOTED}}'`, 'y');
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
/** A whole reference as earlier builds read it, in which a backslash stands for itself. */
const EARLIER = /\{\{\s*([A-Za-z_][\w-]*)((?:\.[\w-]+|\[\d+\]|\["[^"\]]*"\])*)\s*\}\}/y;
const EARLIER_STEP = /\.([\w-]+)|\[(\d+)\]|\["([^"\]]*)"\]/g;

/**
 * Reads one expression: a reference, and then any number of `?? default` and `| function`, each of which takes the value of
 * all before it.
 */
export class ExpressionReader {
  readonly #source: string;
  readonly #start: number;
  #at: number;
  readonly #earlierNames: Record<string, string> = {};

  /** @param start where its braces begin */
  constructor(source: string, start: number) {
    this.#source = source;
    this.#start = start;
    this.#at = start + 2;
  }

  /** @returns undefined if there is no valid expression */
  read(): TemplateExpression | undefined {
    return this.#readNow() ?? this.#readAsEarlier();
  }

  #readNow(): TemplateExpression | undefined {
    this.#skipSpace();
    const first = this.#readReference();
    if (first === undefined) return undefined;
    const then: TemplateOperation[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#take('}}')) break;
      const operation = this.#take('??')
        ? this.#readDefault()
        : this.#take('|')
          ? this.#readFunction()
          : undefined;
      if (operation === undefined || this.#at - this.#start > MAX_LENGTH) return undefined;
      then.push(operation);
    }
    const text = this.#source.slice(this.#start, this.#at);
    const defaults = then.map((one) =>
      'reference' in one ? { ...one, reference: { ...one.reference, text } } : one,
    );
    return { ...first, text, then: then.length > 0 ? defaults : undefined };
  }

  /** Reads a quoted name that has a backslash which is no escape, as in `["a\"]`. */
  #readAsEarlier(): TemplateExpression | undefined {
    const match = matchAt(EARLIER, this.#source, this.#start);
    if (match === undefined) return undefined;
    const path = [...(match[2] ?? '').matchAll(EARLIER_STEP)].map(([, name, index, quoted]) =>
      index === undefined ? (name ?? quoted ?? '') : Number(index),
    );
    return { text: match[0], root: match[1] ?? '', path };
  }

  #readReference(): TemplateReference | undefined {
    const root = this.#match(NAME)?.[0];
    if (root === undefined) return undefined;
    const path: (string | number)[] = [];
    for (let step = this.#readStep(); step !== undefined; step = this.#readStep()) path.push(step);
    const hasEarlier = Object.keys(this.#earlierNames).length > 0;
    return { text: '', root, path, earlierNames: hasEarlier ? this.#earlierNames : undefined };
  }

  #readStep(): string | number | undefined {
    const dotted = this.#match(DOTTED)?.[1];
    if (dotted !== undefined) return dotted;
    const index = this.#match(INDEX)?.[1];
    if (index !== undefined) return Number(index);
    const before = this.#at;
    const quoted = this.#take('[') ? this.#readQuoted() : undefined;
    if (quoted !== undefined && this.#take(']')) {
      const written = this.#source.slice(before + 2, this.#at - 2);
      if (written !== quoted && this.#source[before + 1] === '"' && !/["\]]/.test(written))
        this.#earlierNames[quoted] = written;
      return quoted;
    }
    this.#at = before;
    return undefined;
  }

  #readDefault(): TemplateOperation | undefined {
    this.#skipSpace();
    const quoted = this.#readQuoted();
    if (quoted !== undefined) return { kind: 'default', value: quoted };
    const number = this.#match(NUMBER)?.[0];
    if (number !== undefined) {
      if (isKeptInteger(number)) return { kind: 'default', value: number };
      const value = Number(number);
      return Number.isFinite(value) ? { kind: 'default', value } : undefined;
    }
    const reference = this.#readReference();
    if (reference === undefined) return undefined;
    const word = reference.path.length === 0 ? WORDS.get(reference.root) : undefined;
    return word === undefined ? { kind: 'default', reference } : { kind: 'default', value: word };
  }

  #readFunction(): TemplateOperation | undefined {
    this.#skipSpace();
    const name = this.#match(NAME)?.[0] ?? '';
    this.#skipSpace();
    const argument = this.#take('(') ? this.#readArgument() : undefined;
    if (!isFunctionCall(name, argument)) return undefined;
    return { kind: 'function', name, argument };
  }

  /** Reads the rest of `("text")`; null if there is something else. */
  #readArgument(): string | null {
    this.#skipSpace();
    const text = this.#readQuoted();
    this.#skipSpace();
    return text !== undefined && this.#take(')') ? text : null;
  }

  #readQuoted(): string | undefined {
    if (this.#at - this.#start > MAX_LENGTH) return undefined;
    const double = this.#match(DOUBLE_QUOTED)?.[0];
    if (double !== undefined) return unescapeText(double.slice(1, -1));
    const single = this.#match(SINGLE_QUOTED)?.[0];
    return single === undefined ? undefined : unescapeText(single.slice(1, -1).replaceAll("''", "'"));
  }

  #skipSpace(): void {
    this.#match(/\s*/y);
  }

  #take(symbol: string): boolean {
    if (!this.#source.startsWith(symbol, this.#at)) return false;
    this.#at += symbol.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    const match = matchAt(pattern, this.#source, this.#at);
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }
}
