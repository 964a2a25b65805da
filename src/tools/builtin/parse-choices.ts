/** How the body of a response is read, if its content type does not decide. */
export const PARSE_CHOICES = ['json', 'text', 'base64'] as const;
export type ParseChoice = (typeof PARSE_CHOICES)[number];
