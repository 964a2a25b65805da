import { z } from 'zod';
import glen from './glen.json';
import mara from './mara.json';
import priya from './priya.json';
import tomasz from './tomasz.json';

/** A question of a user, and which turns of which of their sessions answer it. */
export interface QualityQuestion {
  readonly userId: string;
  readonly session: string;
  readonly text: string;
  readonly evidence: readonly number[];
  /** Whether it names somebody or something, and so shares words with the answer; others say it in other words. */
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

/** What four invented people talked about: written before anything was measured with it, and never tuned on. */
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
