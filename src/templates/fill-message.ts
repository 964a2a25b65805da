import type { NameTest } from '../contracts/credential-names';
import { isJsonObject, shorten } from '../contracts/json';
import { jsonLength } from '../contracts/json-length';
import { HIDDEN } from '../contracts/redact';
import { evaluateExpression } from './evaluate-expression';
import { parseTemplate, referencesOf, type TemplateExpression } from './expression';
import { showReference, TemplateLimitError, TemplateReferenceError, type TemplateScope } from './resolve';

/** A value in a question is shown up to this length, and a question as a whole up to that one, characters. */
const MAX_VALUE = 1_000;
const MAX_MESSAGE = 4_000;
/** This much of a value is searched for credentials, as in the redactor, characters. */
const MAX_SEARCHED = 16_384;
/** Functions of a message read this much together, because it is searched for credentials first, characters of JSON. */
const MAX_READ = 262_144;
/** Shorter credentials are found only if they are a whole value, because they would be found in words, and no more than this number. */
const MIN_CREDENTIAL = 6;
const MAX_CREDENTIALS = 100;

/** What a question must not show. */
export interface HiddenInMessage {
  readonly isCredential: NameTest;
  /** The arguments of the call, whose credentials the question does not repeat. */
  readonly args: unknown;
}

/**
 * Fills in the templates of what a person is asked. A wording never fails a run: if a value is absent, the text says so.
 * A long text is cut, and in the place of a long list or object stands a note. Pure.
 */
export function fillMessage(message: string, scope: TemplateScope, hidden: HiddenInMessage): string {
  if (!message.includes('{{')) return message;
  const { isCredential, args } = hidden;
  const credentials = credentialsIn(args, isCredential);
  const whole = new Set(credentials);
  const long = credentials.filter(({ length }) => length >= MIN_CREDENTIAL);
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (isJsonObject(value))
      return mapFields(value, (name, item) => (isCredential(name) ? HIDDEN : clean(item)));
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const text = String(value);
    if (whole.has(text)) return HIDDEN;
    if (typeof value === 'number') return value;
    return long.reduce((rest, credential) => rest.replaceAll(credential, HIDDEN), text);
  };
  const fill = (expression: TemplateExpression): string => {
    const names = referencesOf(expression).flatMap(({ root, path }) => [root, ...path]);
    if (names.map(String).some(isCredential)) return HIDDEN;
    try {
      const value =
        expression.then === undefined
          ? scope(expression)
          : evaluateExpression(expression, cleanScope(expression), () => undefined);
      if (typeof value === 'string') return shorten(String(clean(value.slice(0, MAX_SEARCHED))), MAX_VALUE);
      if (jsonLength(value, MAX_VALUE) > MAX_VALUE) return '(too long to be shown here)';
      const shown = clean(value);
      return typeof shown === 'string' ? shown : JSON.stringify(shown);
    } catch (error) {
      if (!(error instanceof TemplateReferenceError)) throw error;
      return `(not available: ${showReference(expression.text.slice(2, -2).trim())})`;
    }
  };
  let read = 0;
  // A function makes text of what would be hidden, so credentials are hidden before.
  const cleanScope =
    ({ text }: TemplateExpression): TemplateScope =>
    (reference) => {
      const value = scope(reference);
      read += jsonLength(value, MAX_READ);
      if (read > MAX_READ) throw new TemplateLimitError(text, 'the value is too long for a message');
      return clean(value);
    };
  const parts = parseTemplate(message).map((part) => (typeof part === 'string' ? part : fill(part)));
  return shorten(parts.join(''), MAX_MESSAGE);
}

function mapFields(
  fields: Readonly<Record<string, unknown>>,
  convert: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, convert(name, value)]));
}

/** Finds the texts and numbers under names of credentials, and sorts those first that may contain others. */
function credentialsIn(args: unknown, isCredential: NameTest): readonly string[] {
  const credentials = new Set<string>();
  const visit = (value: unknown, isNamed: boolean): void => {
    if (credentials.size >= MAX_CREDENTIALS) return;
    if ((typeof value === 'string' || typeof value === 'number') && isNamed) {
      // A template may have the credential without its scheme.
      for (const text of [String(value), String(value).replace(/^\w+\s+/, '')])
        if (text !== '') credentials.add(text);
    } else if (Array.isArray(value)) for (const item of value) visit(item, isNamed);
    else if (isJsonObject(value))
      for (const [name, item] of Object.entries(value)) visit(item, isNamed || isCredential(name));
  };
  visit(args, false);
  return [...credentials].sort((a, b) => b.length - a.length);
}
