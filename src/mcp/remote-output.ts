import { isDeepStrictEqual } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { tryToParseJson } from '../base/json/parse';
import { isJsonObject } from '../contracts/json';
import { CONTENT_MARK, PROBLEM_MARK } from '../contracts/result-marks';
import type { ToolOutput } from '../tools/tool';

type Content = CallToolResult['content'];

/** More is left out beside structured content, characters of JSON, so that a result never gets too long by it. */
const MAX_BESIDE = 1_048_576;

/**
 * Converts the result of a call that was made. It is the structured content; without that the text, or all of the content if
 * there is more than text. What came beside structured content is in the field `_content`, and a problem in `_problem`: the call
 * may have had its effect, so its caller gets what came, whatever form it has. Pure.
 * @param problem in which respect the result is not as the tool declares it; undefined: in none
 */
export function toOutput({ content, structuredContent }: CallToolResult, problem?: string): ToolOutput {
  if (structuredContent === undefined) {
    if (problem !== undefined) return { value: { [PROBLEM_MARK]: problem, [CONTENT_MARK]: content } };
    const texts = textsOf(content);
    return { value: texts.length === content.length ? texts.join('\n') : { content } };
  }
  const beside = content.filter((part) => !repeats(part, structuredContent));
  const { length } = JSON.stringify(beside);
  const fits = length <= MAX_BESIDE;
  const leftOut = fits ? [] : [`content of ${length} characters beside it was left out`];
  const problems = [...(problem === undefined ? [] : [problem]), ...leftOut].join('; ');
  const marks = {
    ...(problems === '' ? {} : { [PROBLEM_MARK]: problems }),
    ...(fits && beside.length > 0 ? { [CONTENT_MARK]: beside } : {}),
  };
  if (Object.keys(marks).length === 0) return { value: structuredContent };
  const structured: unknown = structuredContent;
  const takesMarks =
    isJsonObject(structured) && !(CONTENT_MARK in structured) && !(PROBLEM_MARK in structured);
  return { value: takesMarks ? { ...structured, ...marks } : { structuredContent, ...marks } };
}

export function textsOf(content: Content): string[] {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** Whether a part is the structured content once more as text, which the protocol asks servers to send. */
function repeats(part: Content[number], structured: unknown): boolean {
  if (part.type !== 'text') return false;
  return part.text === JSON.stringify(structured) || isDeepStrictEqual(tryToParseJson(part.text), structured);
}
