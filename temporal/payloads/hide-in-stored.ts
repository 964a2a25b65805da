import type { Redactor } from '../../src/secrets/redactor';
import { StoredJson } from './stored-json';

export type Hiding = Pick<Redactor, 'value' | 'text' | 'isCredential'>;

/** Strikes out the credentials in the result of a run; those of a stored result while it is sent. */
export function hideInResult(result: unknown, redactor: Hiding): unknown {
  return result instanceof StoredJson ? result.hiding(redactor) : redactor.value(result);
}
