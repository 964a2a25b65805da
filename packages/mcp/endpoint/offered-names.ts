import { createHash } from 'node:crypto';

/** What every client takes for the name of a tool, since models are given it as the name of a function. */
const FITTING = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;
/** Stands for a dot. */
const DOT = '__';
/** The end of a name that has a part of its hash. */
const HASHED = /_[0-9a-f]{8}$/;

/**
 * Builds the name under which clients are offered a tool. A name that every client takes stays, and a dot of any other becomes
 * `__`. If a second name could become the same, or the name is too long, it ends with a part of its hash. The result depends on
 * the name alone, so a client that kept it never calls another tool, whatever tools are added. Pure.
 */
export function offeredName(name: string): string {
  if (FITTING.test(name) && !name.includes(DOT) && !HASHED.test(name)) return name;
  const dotted = name.replaceAll('.', DOT);
  if (FITTING.test(dotted) && !HASHED.test(dotted) && dottedName(dotted) === name) return dotted;
  const ending = `_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH - ending.length) + ending;
}

/**
 * The names that a tool may have that a client calls by this one, the likeliest first: the one that is offered so, and the one that
 * is called so. Names that end with a part of a hash are found in lists alone. Pure.
 */
export function namesOf(called: string): string[] {
  const dotted = dottedName(called);
  return dotted !== called && offeredName(dotted) === called ? [dotted, called] : [called];
}

/** Whether a tool that is offered by this name may have any other name. Pure. */
export function isHashed(called: string): boolean {
  return HASHED.test(called);
}

function dottedName(name: string): string {
  return name.replaceAll(DOT, '.');
}
