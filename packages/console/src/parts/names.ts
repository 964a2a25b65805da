/** What the API takes as the name of a user or a session, and a path can have. */
const NAME = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u;

export const isName = (text: string | undefined): text is string => text !== undefined && NAME.test(text);
