/** The characters from 0x80 to 0x9f of windows-1252 (Encoding standard); those that it does not have stay controls. */
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes windows-1252. Some versions of Node.js read it as ISO 8859-1. Pure. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => UPPER.charAt(character.charCodeAt(0) - 0x80));
}
