import { HTTP_METHODS } from '../known-tools';

const METHODS = new Set<string>(HTTP_METHODS.map((method) => method.toLowerCase()));

/** True for the name of a method, in lower case. */
export function isMethodName(word: string): boolean {
  return METHODS.has(word);
}
