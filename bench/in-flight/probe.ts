import { Agent, get } from 'node:http';

const EVERY_MS = 20;
const [url = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const times: number[] = [];

/** Asks once, and notes how long the answer took. */
function ask(): void {
  const asked = performance.now();
  const note = (): void => void times.push(performance.now() - asked);
  get(`${url}/livez`, { agent }, (answer) => {
    answer.resume().once('end', note);
  }).once('error', note);
}

// A process of its own, because the program that sends the load is busy too.
const timer = setInterval(ask, EVERY_MS);
process.once('disconnect', () => process.exit());
process.once('message', () => {
  clearInterval(timer);
  const send = (): void => {
    process.send?.(times, undefined, undefined, () => process.exit());
  };
  // The last requests are answered before the figures are given.
  setImmediate(function wait() {
    const open = Object.keys(agent.sockets).length + Object.keys(agent.requests).length;
    if (open === 0) send();
    else setTimeout(wait, EVERY_MS);
  });
});
process.send?.('ready');
