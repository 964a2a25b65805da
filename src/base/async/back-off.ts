/**
 * Computes a random wait before the next try: between 0 and a bound that doubles with each try, up to `maxMs`
 * milliseconds. Random waits keep processes that collided once from colliding again ("full jitter": Brooker,
 * "Exponential Backoff And Jitter", 2015).
 * @param tries number of failed tries, from 1
 */
export function backOffMs(tries: number, maxMs: number): number {
  return Math.random() * Math.min(2 ** tries, maxMs);
}
