import { createInterface } from 'node:readline';
import { successOf } from '../errors.js';
import type { HoldfastClient } from '../index.js';
import { type Command, UsageError } from './command.js';
import type { Output } from './output.js';

export const chat: Command = {
  summary: 'sends a message to the agent, or each line of the standard input',
  operands: ['[MESSAGE]'],
  options: { user: 'USER', session: 'SESSION', agent: 'AGENT' },
  async run({ client, operands: [message], option }, output) {
    const userId = option('user');
    if (userId === undefined) throw new UsageError('--user is missing: whose memories the agent has');
    const sessionId = option('session') ?? globalThis.crypto.randomUUID();
    const { initialized } = successOf(await client.GET('/api/agent/status')).data;
    if (!initialized) successOf(await client.POST('/api/agent/initialize', { body: {} }));
    if (option('session') === undefined) output.note(`The session is ${sessionId}`);
    for await (const query of message === undefined ? readMessages(output) : [message])
      await say(client, { query, options: { userId, sessionId, agent: option('agent') } }, output);
    return undefined;
  },
};

async function say(
  client: HoldfastClient,
  request: Parameters<HoldfastClient['agent']['chat']>[0],
  output: Output,
): Promise<void> {
  for await (const part of client.agent.chat(request)) {
    if (part.type === 'text') output.write(part.restarts ? `\n${part.text}` : part.text);
    else output.print(part.answer, () => '');
  }
}

async function* readMessages(output: Output): AsyncGenerator<string, void> {
  const prompt = (): void => {
    if (process.stdin.isTTY) output.write('> ');
  };
  prompt();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') yield line;
    prompt();
  }
}
