import type { ChatMessage, ToolChoiceRequest, ToolRequest } from '../contracts/http/llm';
import type { ToolParameters } from '../contracts/http/tools';

/** A tool as rules compare it with a sentence. */
export interface ComparedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

/** Rules that read sentences without a language model. Pure: the same text is always read in the same way. */
export interface SentenceRules {
  /**
   * The next call that the conversation asks for, or an answer from the results of the calls before. The arguments are
   * not checked against values that earlier calls returned.
   * @throws HoldfastError `QUERY_NOT_UNDERSTOOD`
   */
  chooseNext(
    request: Pick<ToolChoiceRequest, 'messages' | 'choice'> & { readonly tools: readonly ComparedTool[] },
  ): {
    readonly content: string;
    readonly requests: readonly ToolRequest[];
  };
  /**
   * The answer to the last user message from its own text; undefined if that takes a language model.
   * @throws HoldfastError `QUERY_NOT_UNDERSTOOD` if the text asks for more work than the rules do
   */
  answerPrompt(messages: readonly ChatMessage[]): string | undefined;
  /**
   * The JSON values that are written out in a text, in their order.
   * @throws HoldfastError as `answerPrompt` does
   */
  findJsonValues(text: string): readonly unknown[];
}
