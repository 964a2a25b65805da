import type { Context } from '@temporalio/activity';
import type { LiveText } from '../src/contracts/runs/outputs';

/**
 * Heartbeats carry the end of a text, up to this number of bytes of JSON, which is less than any value that is stored by
 * reference: a store that fails must not end a worker, and a follower could not read a reference.
 */
const MAX_BYTES = 800;

const texts = new WeakMap<Context, string>();

/** Returns a function that notes the text that an activity has made so far, for its heartbeats. */
export function noteText(context: Context): (soFar: string) => void {
  return (soFar) => void texts.set(context, soFar);
}

/** The end of the text that an activity has made so far; undefined if there is no text. */
export function liveTextOf(context: Context): LiveText | undefined {
  const text = texts.get(context);
  if (text === undefined) return undefined;
  let offset = Math.max(0, text.length - MAX_BYTES);
  while (Buffer.byteLength(JSON.stringify(text.slice(offset))) > MAX_BYTES)
    offset += Math.ceil((text.length - offset) / 8);
  return { attempt: context.info.attempt, offset, text: text.slice(offset) };
}
