import { type DocumentStore, type ListOptions, MAX_LIST_LIMIT, type StoredDocument } from './documents';

/**
 * Lists documents whose keys begin with a prefix, in ascending order of keys. Throws what the store throws.
 * @param options `after`: default is the prefix, which is no key itself
 */
export async function listUnder<T>(
  documents: Pick<DocumentStore, 'list'>,
  collection: string,
  prefix: string,
  options: ListOptions = {},
): Promise<StoredDocument<T>[]> {
  const page = await documents.list<T>(collection, { ...options, after: options.after ?? prefix });
  return page.filter(({ key }) => key.startsWith(prefix));
}

/** Lists all documents whose keys begin with a prefix, page by page. No page is empty, and a page may be deleted before the next. */
export async function* pagesUnder<T>(
  documents: Pick<DocumentStore, 'list'>,
  collection: string,
  prefix: string,
): AsyncGenerator<StoredDocument<T>[]> {
  for (let after: string | undefined = prefix; after !== undefined;) {
    const page: StoredDocument<T>[] = await listUnder<T>(documents, collection, prefix, { after });
    if (page.length > 0) yield page;
    after = page.length < MAX_LIST_LIMIT ? undefined : page.at(-1)?.key;
  }
}
