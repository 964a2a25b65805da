/**
 * SQLite orders text by the bytes of its UTF-8, that is by code point, and JavaScript orders strings by UTF-16 code unit. The
 * two orders differ when characters in U+E000..U+FFFF meet characters above. Keys are therefore stored as bytes in CESU-8, which
 * is UTF-8 except that each half of a surrogate pair is written as three separate bytes. The order of these bytes is the order
 * of code units, and keys without characters above U+FFFF are plain, readable UTF-8.
 */
const ANY_SURROGATE = /[\ud800-\udfff]/;

/** The first byte of U+D000..U+DFFF, and so of every surrogate. */
const SURROGATE_LEAD = 0xed;

export function keyToBytes(key: string): Buffer {
  if (!ANY_SURROGATE.test(key)) return Buffer.from(key, 'utf8');
  const bytes: number[] = [];
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), continuation(unit));
    else bytes.push(0xe0 | (unit >> 12), continuation(unit >> 6), continuation(unit));
  }
  return Buffer.from(bytes);
}

/** The inverse of `keyToBytes`, for bytes that `keyToBytes` returned. */
export function keyFromBytes(bytes: Buffer): string {
  if (!bytes.includes(SURROGATE_LEAD)) return bytes.toString('utf8');
  let key = '';
  let index = 0;
  const next = (): number => bytes[index++] ?? 0;
  while (index < bytes.length) {
    const lead = next();
    let unit = lead;
    if (lead >= 0xe0) unit = ((lead & 0x0f) << 12) | ((next() & 0x3f) << 6) | (next() & 0x3f);
    else if (lead >= 0xc0) unit = ((lead & 0x1f) << 6) | (next() & 0x3f);
    key += String.fromCharCode(unit);
  }
  return key;
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}
