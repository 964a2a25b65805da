/** Writes a name as a part of a JSON pointer (RFC 6901). Pure. */
export function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The names in a JSON pointer, from the root on. Pure. */
export function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON pointer; undefined if it is absent. Pure. */
export function valueAt(value: unknown, pointer: string): unknown {
  let part = value;
  for (const name of namesIn(pointer)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** The part of a JSON Schema to which a `$ref` such as `#/$defs/point` leads; undefined if it leads to none in it. Pure. */
export function referredTo(schema: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return valueAt(schema, decoded(reference.slice(1)));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
