/** What is known of a large value without parsing it. */
interface Kept {
  readonly text: Uint8Array;
  /** Length of the text in UTF-16 units. */
  readonly length: number;
  parse(): object;
}

const kept = new WeakMap<object, Kept>();
const decoder = new TextDecoder();
/** The texts that stand behind the marks of the text that is being written. */
let collected: Uint8Array[] | undefined;
let mark = '';

/**
 * Returns an object or array of JSON that is parsed when code first reads a part of it. A run that only keeps and returns a large
 * result neither parses it nor writes it again. It behaves as the parsed value everywhere else. Pure but for its memory.
 * @param text JSON in UTF-8 as `JSON.stringify` writes it; it begins with a brace or bracket
 */
export function lazyJson(text: Uint8Array): object {
  let value: object | undefined;
  const own: Kept = {
    text,
    length: countUnits(text),
    parse: () => (value ??= JSON.parse(decoder.decode(text)) as object),
  };
  const isList = text[0] === 0x5b;
  const target: object = isList ? [] : {};
  const proxy = new Proxy(target, handlerOf(own));
  kept.set(proxy, own);
  return proxy;
}

/** The length of the JSON text of a value that `lazyJson` has made. @returns undefined for any other value */
export function lazyLength(value: object): number | undefined {
  return kept.get(value)?.length;
}

/**
 * Writes a value, with the texts of those that `lazyJson` has made inside as they are.
 * @param newMark a text that no caller can know, which stands for each while the rest is written
 * @returns undefined where there are none
 */
export function writeWithLazy(value: unknown, newMark: () => string): Uint8Array[] | undefined {
  const texts: Uint8Array[] = [];
  collected = texts;
  mark = newMark();
  try {
    const written = JSON.stringify(value) as string | undefined;
    if (texts.length === 0 || written === undefined) return undefined;
    const encoder = new TextEncoder();
    return written
      .split(`"${mark}"`)
      .flatMap((part, place) => [encoder.encode(part), texts[place] ?? new Uint8Array()]);
  } finally {
    collected = undefined;
  }
}

function handlerOf(own: Kept): ProxyHandler<object> {
  const toJSON = (): unknown => {
    collected?.push(own.text);
    return mark;
  };
  return {
    get: (_, name) =>
      name === 'toJSON' && collected !== undefined ? toJSON : (Reflect.get(own.parse(), name) as unknown),
    has: (_, name) => Reflect.has(own.parse(), name),
    ownKeys: () => Reflect.ownKeys(own.parse()),
    getOwnPropertyDescriptor(target, name) {
      const found = Reflect.getOwnPropertyDescriptor(own.parse(), name);
      // A list has a length that cannot be configured, and a proxy may only say so of its own target.
      if (name === 'length' && Array.isArray(target)) target.length = (own.parse() as unknown[]).length;
      return found;
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
