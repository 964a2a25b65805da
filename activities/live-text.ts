import type { Context } from '@temporalio/activity';
import type { LiveText } from '../src/contracts/runs/outputs';
import { type GrowingText, LiveTexts } from '../src/live-text/live-texts';

/**
 * Heartbeats carry the end of a text, up to this number of bytes of JSON, which is less than any value that is stored by
 * reference: a store that fails must not end a worker, and a follower could not read a reference.
 */
const MAX_BYTES = 700;

/** The texts of this process. */
export const liveTexts = new LiveTexts();

const textsOfActivities = new WeakMap<Context, GrowingText>();

/**
 * Returns a function that notes the text that an activity has made so far. A first heartbeat says at once where the text can be
 * read; those of the worker follow.
 */
export function noteText(context: Context): (soFar: string) => void {
  const text = liveTexts.begin();
  textsOfActivities.set(context, text);
  context.heartbeat(liveTextOf(context));
  return (soFar) => text.replace(soFar);
}

/** Ends the text of an activity that has ended. */
export function endText(context: Context): void {
  const text = textsOfActivities.get(context);
  if (text !== undefined) liveTexts.end(text);
}

/** The end of the text that an activity has made so far; undefined for an activity that makes none. */
export function liveTextOf(context: Context): LiveText | undefined {
  const growing = textsOfActivities.get(context);
  if (growing === undefined) return undefined;
  const { text } = growing;
  let offset = Math.max(0, text.length - MAX_BYTES);
  while (Buffer.byteLength(JSON.stringify(text.slice(offset))) > MAX_BYTES)
    offset += Math.ceil((text.length - offset) / 8);
  const at = liveTexts.addressOf(growing);
  return { attempt: context.info.attempt, offset, text: text.slice(offset), ...(at && { at }) };
}
