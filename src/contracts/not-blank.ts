/**
 * Matches texts with more than white space. The byte order mark is listed, because JavaScript counts it as white space,
 * and other languages, whose programs read this pattern in the OpenAPI documents, do not.
 */
export const NOT_BLANK = /[^\s\uFEFF]/;
