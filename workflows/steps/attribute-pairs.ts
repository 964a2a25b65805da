import type { SearchAttributePair } from '@temporalio/common';

/** Types a search attribute of a run that is started as a child: a keyword, or keywords if the value is a list. Pure. */
export function toAttributePair([name, value]: [string, string | readonly string[]]): SearchAttributePair {
  return typeof value === 'string'
    ? { key: { name, type: 'KEYWORD' }, value }
    : { key: { name, type: 'KEYWORD_LIST' }, value: [...value] };
}
