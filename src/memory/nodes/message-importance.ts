/** The importance of messages. A user's are more important than the answers, because they say more about the user. */
export const IMPORTANCE = { user: 0.5, assistant: 0.3 } as const;
