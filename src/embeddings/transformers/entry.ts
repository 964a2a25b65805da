/**
 * The entry of a model's process: `entry.js <folder> <weights>`. It loads the model, then embeds one text after another until
 * its parent ends.
 */
import { messageOf } from '../../base/errors';
import type { ModelMessage, ModelRequest } from './protocol';
import { SentenceModel } from './sentence-model';

const [, , folder = '', weights = ''] = process.argv;
let model: SentenceModel | undefined;

function send(message: ModelMessage): void {
  process.send?.(message);
}

async function load(): Promise<void> {
  try {
    model = await SentenceModel.load(folder, weights);
    send({ kind: 'loaded', dimensions: (await model.embed('a')).length });
  } catch (error) {
    send({ kind: 'unusable', reason: messageOf(error) });
  }
}

async function answer({ text }: ModelRequest): Promise<void> {
  try {
    if (model === undefined) throw new Error('the model is not loaded');
    send({ kind: 'vector', vector: await model.embed(text) });
  } catch (error) {
    send({ kind: 'problem', reason: messageOf(error) });
  }
}

// A terminal and a service manager signal every process at once, but the parent still needs this one while it drains.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (request: ModelRequest) => void answer(request));
void load();
