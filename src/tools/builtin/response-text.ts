import { isUtf8 } from 'node:buffer';
import { knownCharset } from '../../base/text/charsets';

/** Where a page may name its charset, bytes (HTML standard, prescan of a byte stream). */
const PRESCAN_BYTES = 1_024;
const NAMED_BY_HEADER = /;\s*charset\s*=\s*"?'?([^"';\s]+)/i;
const NAMED_BY_META = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i;
const NAMED_BY_PROLOG = /^\s*<\?xml\s[^>]{0,500}?encoding\s*=\s*["']([\w.:-]+)/i;

/**
 * Finds the charset of a text: that of its header, of its byte order mark, of the `meta` element of HTML or the prolog of XML; where
 * none is named, UTF-8 if the bytes are, else windows-1252. A name that is not known is passed over. Pure.
 */
export function charsetOf(bytes: Buffer, contentType: string): string {
  const named = known(NAMED_BY_HEADER.exec(contentType)?.[1]) ?? markOf(bytes) ?? known(namedInside(bytes));
  return named ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function namedInside(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  if (!start.trimStart().startsWith('<')) return undefined;
  const name = NAMED_BY_PROLOG.exec(start)?.[1] ?? NAMED_BY_META.exec(start)?.[1];
  // A page whose name was read as ASCII cannot be in UTF-16, so the standard takes UTF-8.
  return /^utf-?16/i.test(name ?? '') ? 'utf-8' : name;
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function known(label: string | undefined): string | undefined {
  return label === undefined ? undefined : knownCharset(label);
}
