import { redact } from '../contracts/redact';

const HIDDEN = '[hidden]';
/** Keys as their givers write them, masked ones too: `sk-proj-abc`, `sk-****1234`, `pcsk_abc`. */
const KEY_LIKE = /\b(?:sk-|pcsk_)[\w*.…-]+/g;
const BEARER = /\bbearer\s+\S+/gi;
/** Of a server's own words more than this helps nobody, and error texts are stored. */
const SHOWN_LENGTH = 500;

/**
 * The words of a server as an error may tell them: in one line, not too long, without the key, anything that looks
 * like one, and the secrets of addresses. Some servers repeat the key that they refuse.
 */
export function hideKeys(text: string, apiKey: string | undefined): string {
  const withoutKey = apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, HIDDEN);
  const hidden = withoutKey.replace(BEARER, HIDDEN).replace(KEY_LIKE, HIDDEN);
  // Cut last: half a key would not be recognised.
  return String(redact(hidden)).replace(/\s+/g, ' ').trim().slice(0, SHOWN_LENGTH);
}
