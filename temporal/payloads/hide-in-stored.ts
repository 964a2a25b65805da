import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../../src/secrets/redactor';
import type { AdmitBytes } from '../runs/admit-bytes';
import { StoredJson } from './stored-json';

/** Matches the name of a field, and a text in a field `name`, `key` or `header`, which may name what is in the field `value`. */
const NAMES = /"(?:name|key|header)":"(?=([^"\\]{1,100})")|"(?=([^"\\]{1,100})":)/g;
/** The end of a part that is read again with the next one, so that no name is cut in two, characters. */
const OVERLAP = 128;
/** Values are named by their content, so what was found in one holds as long as the process. */
const MAX_KNOWN = 1_000;
const known = new WeakMap<object, Map<string, Promise<boolean>>>();

export type Hiding = Pick<Redactor, 'value' | 'isCredential'>;

/**
 * Strikes out the credentials in the result of a run. A stored result is read into memory only where a field of it may carry one;
 * all others are sent as they are stored.
 * @throws as `admit` and `StoredJson.load` do
 */
export async function hideInResult(result: unknown, redactor: Hiding, admit: AdmitBytes): Promise<unknown> {
  if (!(result instanceof StoredJson)) return redactor.value(result);
  return (await namesCredentials(result, redactor)) ? redactor.value(await result.load(admit)) : result;
}

/** Whether a field of a stored value carries a credential by its name. Readers of one value share the search. */
function namesCredentials(stored: StoredJson, redactor: Hiding): Promise<boolean> {
  const found = known.get(redactor) ?? new Map<string, Promise<boolean>>();
  known.set(redactor, found);
  let search = found.get(stored.digest);
  if (search === undefined) {
    if (found.size >= MAX_KNOWN) found.clear();
    search = searchNames(stored, redactor);
    found.set(stored.digest, search);
    // A store that could not be read may be asked again.
    search.catch(() => found.delete(stored.digest));
  }
  return search;
}

async function searchNames(stored: StoredJson, redactor: Hiding): Promise<boolean> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const part of stored.parts()) {
    const text = rest + decoder.write(part);
    for (const [, named, name = named ?? ''] of text.matchAll(NAMES)) {
      if (redactor.isCredential({}, name)) return true;
    }
    rest = text.slice(-OVERLAP);
  }
  return false;
}
