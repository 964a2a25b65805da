import { validationError } from '../../src/base/errors';

const ENTITY_TAG = '(W/)?"[!#-~]*"';
/**
 * Matches `*`, or entity tags separated by commas (RFC 9110, 8.8.3 and 13.1), in ASCII as the service's own tags are. A
 * tag may contain commas itself.
 */
export const ENTITY_TAGS_PATTERN = `^(\\*|${ENTITY_TAG}([ \\t]*,[ \\t]*${ENTITY_TAG})*)$`;
const ENTITY_TAGS = new RegExp(ENTITY_TAGS_PATTERN);
const EACH_TAG = new RegExp(ENTITY_TAG, 'g');

/**
 * Parses the entity tags of a header, or `*`; undefined if the header is absent.
 * @throws HoldfastError `VALIDATION`
 */
export function readEntityTags(name: string, header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  if (header === '*') return ['*'];
  if (!ENTITY_TAGS.test(header)) {
    throw validationError(name, 'must be * or entity tags in quotes, as an ETag header has them');
  }
  return header.match(EACH_TAG) ?? [];
}

/**
 * Whether the caller has the version of `tag` already. The comparison is weak, as RFC 9110 requires it for
 * `If-None-Match`.
 */
export function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const tags = readEntityTags('If-None-Match', ifNoneMatch) ?? [];
  return tags.some((known) => known === '*' || known.replace(/^W\//, '') === tag);
}
