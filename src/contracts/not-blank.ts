/**
 * Texts with more than white space. The byte order mark is named because it is white space in JavaScript and is none in other
 * languages, whose programs read this pattern in the OpenAPI documents.
 */
export const NOT_BLANK = /[^\s\uFEFF]/;
