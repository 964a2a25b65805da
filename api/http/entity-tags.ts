import { validationError } from '../../src/errors';

const ENTITY_TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * The entity tags of a header, or `*` (RFC 9110, 13.1). Tags that `etag` makes have no comma in them.
 * @throws HoldfastError `VALIDATION`
 */
export function readEntityTags(name: string, header: string): readonly string[] | undefined {
  if (header === '') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  const isSound = (tags.length === 1 && tags[0] === '*') || tags.every((tag) => ENTITY_TAG.test(tag));
  if (!isSound) throw validationError(name, 'must be * or entity tags in quotes, as an ETag header has them');
  return tags;
}

/** Whether a caller has what the tag is of. By weak comparison, as `If-None-Match` wants it. */
export function isKnown(tag: string, ifNoneMatch: string): boolean {
  const tags = readEntityTags('If-None-Match', ifNoneMatch) ?? [];
  return tags.some((known) => known === '*' || known.replace(/^W\//, '') === tag);
}
