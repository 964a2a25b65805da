import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Reads the entries of a file of `test/security`. Throws for an entry with a field that the schema does not have,
 * because a test would not notice what such a field expects.
 */
export function readEntries<Entry extends z.ZodType>(file: string, entry: Entry): z.infer<Entry>[] {
  const text = readFileSync(join(__dirname, '../../security', file), 'utf8');
  return z.array(entry).parse(JSON.parse(text));
}
