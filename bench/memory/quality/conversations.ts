import { z } from 'zod';
import glen from './glen.json';
import mara from './mara.json';
import priya from './priya.json';
import tomasz from './tomasz.json';

/** A question of a user, and the turns of a session that answer it. */
export interface QualityQuestion {
  readonly userId: string;
  readonly session: string;
  readonly text: string;
  readonly evidence: readonly number[];
  /**
   * Whether the question names a person or a thing, and so shares words with the answer. Other questions use other
   * words.
   */
  readonly isNamed: boolean;
}

export interface Conversation {
  readonly userId: string;
  readonly session: string;
  readonly turns: readonly string[];
}

const questionSchema = z.tuple([z.string(), z.array(z.int().min(0)).min(1)]);
const fileSchema = z.array(
  z.strictObject({
    session: z.string(),
    turns: z.array(z.string()).min(2),
    questions: z.array(questionSchema),
    named: z.array(questionSchema),
  }),
);

/**
 * The conversations of four invented people. They were written before the first measurement, and nothing was tuned on
 * them.
 */
const files = { glen, mara, priya, tomasz };

const sessions = Object.entries(files).flatMap(([userId, file]) =>
  fileSchema.parse(file).map((session) => ({ userId, ...session })),
);

export const conversations: readonly Conversation[] = sessions;

export const questions: readonly QualityQuestion[] = sessions.flatMap(
  ({ userId, session, questions: asked, named }) => {
    const toQuestion =
      (isNamed: boolean) =>
      ([text, evidence]: z.infer<typeof questionSchema>): QualityQuestion => ({
        ...{ userId, session, text, evidence, isNamed },
      });
    return [...asked.map(toQuestion(false)), ...named.map(toQuestion(true))];
  },
);
