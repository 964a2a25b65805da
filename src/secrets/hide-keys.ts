import { HIDDEN, stripUrls } from '../contracts/redact';
import { cutText } from '../base/text/well-formed';

/** Matches keys in the forms of their providers, also masked ones: `sk-proj-abc`, `sk-****1234`, `pcsk_abc`. */
const KEY_LIKE = /\b(?:sk-|pcsk_)[\w*.…-]+/g;
const BEARER = /\bbearer\s+\S+/gi;
/** The maximum length of a server's message in an error. Error messages are stored, and longer ones rarely help. */
const MAX_SHOWN_LENGTH = 500;

/**
 * Converts a server's message to a form that errors may contain: one line of limited length, without the key, texts that look
 * like keys, and secrets in URLs. Some servers repeat the key that they refuse.
 */
export function hideKeys(text: string, apiKey: string | undefined): string {
  const withoutKey = apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, HIDDEN);
  const hidden = withoutKey.replace(BEARER, HIDDEN).replace(KEY_LIKE, HIDDEN);
  // The text is truncated last, because half a key would not be recognised.
  return cutText(stripUrls(hidden).replace(/\s+/g, ' ').trim(), MAX_SHOWN_LENGTH);
}
