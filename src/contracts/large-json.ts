/** What is known of a large value without parsing it. */
interface Kept {
  readonly text: Uint8Array;
  /** Length of the text in UTF-16 units. */
  readonly length: number;
}

/** The field of a lazy value by which it is recognised. No value of JSON has it. */
const LAZY = Symbol('lazy');
const decoder = new TextDecoder();

/**
 * Returns an object or array of JSON that is parsed when code first reads a part of it. A run that only keeps and returns a large
 * result neither parses it nor writes it again. It behaves as the parsed value everywhere else. Pure but for its memory.
 * @param text JSON in UTF-8 as `JSON.stringify` writes it; it begins with a brace or bracket
 */
export function lazyJson(text: Uint8Array): object {
  const isList = text[0] === 0x5b;
  return new Proxy(isList ? [] : {}, handlerOf({ text, length: countUnits(text) }));
}

/** The length of the JSON text of a value that `lazyJson` has made. @returns undefined for any other value */
export function lazyLength(value: object): number | undefined {
  return keptOf(value)?.length;
}

/**
 * Writes a value, with the texts of those that `lazyJson` has made inside as they are.
 * @param markOf a text that stands for each while the rest is written; another one if the value has it too
 * @returns undefined if there are none
 */
export function writeWithLazy(value: unknown, markOf: (attempt: number) => string): Uint8Array[] | undefined {
  for (let attempt = 0; ; attempt += 1) {
    const texts: Uint8Array[] = [];
    const mark = markOf(attempt);
    const written = JSON.stringify(value, (_, part: unknown) => {
      const keptPart = typeof part === 'object' && part !== null ? keptOf(part) : undefined;
      if (keptPart === undefined) return part;
      texts.push(keptPart.text);
      return mark;
    }) as string | undefined;
    if (texts.length === 0 || written === undefined) return undefined;
    const parts = written.split(`"${mark}"`);
    if (parts.length !== texts.length + 1) continue;
    const encoder = new TextEncoder();
    return parts.flatMap((part, place) => [encoder.encode(part), texts[place] ?? new Uint8Array()]);
  }
}

function keptOf(value: object): Kept | undefined {
  return (value as { readonly [LAZY]?: Kept })[LAZY];
}

function handlerOf(keptValue: Kept): ProxyHandler<object> {
  let value: object | undefined;
  const parse = (): object => (value ??= JSON.parse(decoder.decode(keptValue.text)) as object);
  return {
    get(_, name) {
      if (name === LAZY) return keptValue;
      // A writer of JSON asks for it first, and would have the value parsed. No value of JSON has a function there.
      if (name === 'toJSON' && value === undefined) return undefined;
      return Reflect.get(parse(), name) as unknown;
    },
    has: (_, name) => Reflect.has(parse(), name),
    ownKeys: () => Reflect.ownKeys(parse()),
    getOwnPropertyDescriptor(target, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(parse(), name);
      // A list has a length that cannot be configured, and a proxy may only say so of its own target.
      if (name === 'length' && Array.isArray(target)) target.length = (parse() as unknown[]).length;
      return descriptor;
    },
    // Nothing changes a result, so its copy in text stays true.
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  };
}

/** Counts the UTF-16 units of a text in UTF-8: one for each character, two for those of four bytes. */
function countUnits(text: Uint8Array): number {
  let units = 0;
  for (const byte of text) units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return units;
}
