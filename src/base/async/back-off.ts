/**
 * Milliseconds to wait before another try, at random between nothing and a bound that doubles with each try up to `longestMs`. Random
 * waits keep those who met once from meeting again ("full jitter": Brooker, "Exponential Backoff And Jitter", 2015).
 * @param tries that have failed, from 1
 */
export function backOffMs(tries: number, longestMs: number): number {
  return Math.random() * Math.min(2 ** tries, longestMs);
}
