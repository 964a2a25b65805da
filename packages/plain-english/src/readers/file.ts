import { hasTool, incomplete, type ReadContext, type Reading } from '../plan/reading';
import type { Token, TokenText } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

const VERBS = wordsTagged('file-verbs');
/** So few tokens are hardly more than the path itself. */
const SHORT = 4;
const NAMING = new Set(['file', 'document', 'doc', 'read', 'open']);
const FILE = new Set(['file', 'document', 'doc']);

/** Reads a clause as reading files. */
export function readFile(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'file_read')) return undefined;
  const { tokens } = clause;
  const asked = tokens.some(({ lower, kind }) => kind === 'word' && VERBS.has(lower));
  const paths = tokens.flatMap((token) => (isPath(token, tokens) ? [pathText(token)] : []));
  const encoding = tokens.some(({ lower }) => lower === 'base64' || lower === 'base-64')
    ? { encoding: 'base64' }
    : tokens.some(({ lower }) => ['utf8', 'utf-8'].includes(lower))
      ? { encoding: 'utf8' }
      : {};
  if (paths.length > 0 && !asked && tokens.length > SHORT) return undefined;
  if (paths.length > 0) {
    const steps = paths.map((path) => ({ toolName: 'file_read', args: { path, ...encoding } }));
    return { score: asked ? 1.05 : 0.45, steps };
  }
  const named = asked && tokens.some(({ lower }) => FILE.has(lower)) && tokens.length <= 8;
  return named
    ? incomplete(0.7, {
        message: 'The path of the file is missing.',
        missing: 'path',
        toolName: 'file_read',
        extractedArgs: encoding,
      })
    : undefined;
}

function isPath(token: Token, tokens: readonly Token[]): boolean {
  if (token.kind === 'file') return true;
  if (token.kind !== 'quoted') return false;
  const inner = String(token.value);
  return (
    /^[^\n"]*[^\s/]\.[A-Za-z]\w{0,7}$/.test(inner) ||
    (/^[\w./-]+$/.test(inner) && inner.includes('/') && tokens.some(({ lower }) => NAMING.has(lower)))
  );
}

function pathText({ kind, text, value }: Token): string {
  return kind === 'quoted' ? String(value) : text;
}
