import {
  hasDocument,
  hasTool,
  type PlannedStep,
  type ReadContext,
  type Reader,
  referenceBack,
} from '../reading/reading';
import type { Token } from '../text/token';
import { answerQuestion, guessPath, type SourceDocument } from './answer';
import { NotInDocument } from './fields';
import { isObject } from '../text/json-text';
import { beginsQuestion, readQuestion, type Question } from './question';

const WEIGHT = 1.2;
const OPAQUE = new Set(['url', 'domain', 'email', 'file']);

/** Reads a clause as a question to a JSON text in it, or to the document that the step before has brought. */
export const readDocument: Reader = ({ tokens }, context) => {
  if (!hasTool(context, 'json_reader') || tokens.some(({ kind }) => OPAQUE.has(kind))) return undefined;
  const [json, other] = tokens.filter(({ kind }) => kind === 'json');
  if (other || (!json && !hasDocument(context))) return undefined;
  const rest = tokens.filter((token) => token !== json);
  if (!json && !beginsQuestion(rest)) return undefined;
  const question = readQuestion(rest);
  if (!question) return undefined;
  const document = json ? { value: json.value, reference: json.text } : earlierDocument(context);
  return readAnswer(question, document, referenceBack(context) ?? '', tokens);
};

/** The reading of a question, by the document where it is there, else by its words. */
export function readAnswer(
  question: Question,
  document: SourceDocument | undefined,
  reference: string,
  tokens: readonly Token[],
): ReturnType<Reader> {
  try {
    const steps = document ? answerQuestion(question, document) : guessed(question, reference);
    return { steps, read: new Set(tokens), weight: WEIGHT };
  } catch (error) {
    if (!(error instanceof NotInDocument)) throw error;
    return { problem: { message: error.message, missing: 'path', toolName: 'json_reader' }, weight: 0.9 };
  }
}

function guessed(question: Question, reference: string): readonly PlannedStep[] {
  return guessPath(question).map((path) => ({
    toolName: 'json_reader',
    args: { jsonString: reference, path },
  }));
}

function earlierDocument({ steps, outputs }: ReadContext): SourceDocument | undefined {
  return outputs.length < steps.length
    ? undefined
    : documentOf(steps.length, outputs[steps.length - 1]?.output);
}

/** @throws NotInDocument where the output of a step is no JSON */
export function documentOf(step: number, output: unknown): SourceDocument | undefined {
  if (output === undefined || !isObject(output)) return undefined;
  const part = Object.hasOwn(output, 'content') ? 'content' : 'data';
  const data = output[part];
  const reference = `{{${step}.${part}}}`;
  if (typeof data !== 'string') return { value: data, reference };
  try {
    return { value: JSON.parse(data) as unknown, reference };
  } catch {
    return undefined;
  }
}
