/** The characters from 0x80 to 0x9f of windows-1252 (Encoding standard); those that it does not have stay controls. */
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The name that the Encoding standard has for a label, such as `windows-1252` for `latin1`; undefined for one that it does not know. Pure. */
export function knownCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * Decodes a text without its byte order mark. Pure.
 * @param charset a name of `knownCharset`
 * @returns undefined if the bytes are not of that charset
 */
export function decodeText(bytes: Uint8Array, charset: string): string | undefined {
  // Some versions of Node.js read windows-1252 as ISO 8859-1.
  if (charset === 'windows-1252') return decodeWindows1252(bytes);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The unit of each byte. Replacing characters of a string instead takes seconds for a few million of them. */
const UNITS = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte < 0xa0 ? UPPER.charCodeAt(byte - 0x80) : byte,
);

function decodeWindows1252(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) units[at] = UNITS[bytes[at] ?? 0] ?? 0;
  return Buffer.from(units.buffer).toString('utf16le');
}
