/** What the address of the page names after its `#`: a pane, and what is seen in it. */
export interface Place {
  readonly pane: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What changes in a place: undefined removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** Reads `#/runs?status=failed&run=…`. What is no such address is the pane without a name. */
export function parseHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const params: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) if (value !== '') params[name] = value;
  return { pane: path, params };
}

export function formatHash({ pane, params }: Place): string {
  const query = new URLSearchParams(params).toString();
  return `#/${pane}${query === '' ? '' : `?${query}`}`;
}

/** Returns the parameters with the changes made. */
export function withChanges(params: Place['params'], changes: Changes): Place['params'] {
  const entries = Object.entries({ ...params, ...changes });
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** What the API takes as the name of a user or a session, and a path can have. */
const NAME = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u;

export const isName = (text: string | undefined): text is string => text !== undefined && NAME.test(text);
