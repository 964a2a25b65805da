import { get } from 'node:http';

/** A worker on another machine may listen where this process does not reach it. */
const CONNECT_LIMIT_MS = 2_000;

/**
 * Reads a text from the worker that makes it, until the step ends.
 * @param address as the worker's heartbeats name it
 * @param onText called with the whole text so far
 * @throws an error if the worker cannot be reached, does not know the text, or ends before the text does
 */
export async function readLiveText(
  address: string,
  onText: (soFar: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = get(address, { agent: false, signal }, (response) => {
      request.setTimeout(0);
      if (response.statusCode !== 200) {
        response.destroy();
        reject(new Error(`the worker answered with ${response.statusCode}`));
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        onText(text);
      });
      response.on('end', resolve);
      response.on('error', reject);
    });
    request.setTimeout(CONNECT_LIMIT_MS, () => request.destroy(new Error('the worker did not answer')));
    request.on('error', reject);
  });
}
