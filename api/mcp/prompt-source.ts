import type {
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ServerContext,
} from '@modelcontextprotocol/server';

/** Where prompts come from, such as the workflows of a tenant. */
export interface PromptSource {
  /** Lists the prompts, in any order. */
  list(): Promise<readonly Prompt[]>;
  /** @returns undefined if the source has no prompt of this name */
  get(
    name: string,
    inputs: Readonly<Record<string, string>>,
    exchange: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>;
}
