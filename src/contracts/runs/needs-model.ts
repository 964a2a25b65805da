import type { AnswerInput } from './turns';

/** Whether only a model can answer: rules fit no schema, and read no files. Pure. */
export function needsModel({
  responseSchema,
  files,
}: Pick<AnswerInput, 'responseSchema'> & { readonly files?: readonly unknown[] | undefined }): boolean {
  return responseSchema !== undefined || files !== undefined;
}
