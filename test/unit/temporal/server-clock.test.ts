import { createServerClock, type ServerClock } from '../../../temporal/server-clock';

/** Of the monotonic clock of this process, milliseconds. */
let elapsed: number;
/** Of the clock of this machine; that of the server shows 1,000,000 + `elapsed`. */
let ahead: number;
let clock: ServerClock;

const SERVER = 1_000_000;
const server = (): number => SERVER + elapsed;

beforeEach(() => {
  elapsed = 10_000;
  ahead = 30_000;
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
  jest.spyOn(Date, 'now').mockImplementation(() => server() + ahead);
  clock = createServerClock();
});
afterEach(() => jest.restoreAllMocks());

/** The server reads its clock `wayMs` after a request, and its answer takes as long. */
function measure(wayMs = 10): void {
  const sentAt = elapsed;
  elapsed += wayMs;
  const time = server();
  elapsed += wayMs;
  clock.hear(time, sentAt);
}

test('before the server was heard it is the clock of this machine, and nothing is known of the difference', () => {
  expect([clock.now(), clock.skewMs()]).toEqual([Date.now(), undefined]);
});

test('a measured clock is right to the time that an answer takes, whatever the clock of this machine does', () => {
  measure();
  expect([server() - clock.now(), clock.skewMs()]).toEqual([10, 30_010]);
  elapsed += 600_000;
  ahead = -3_600_000;
  expect(server() - clock.now()).toBe(10);
  expect(clock.skewMs()).toBe(-3_599_990);
});

test('a time that a task carries proves only that the clock shows at least that', () => {
  clock.hear(server() - 400);
  expect([server() - clock.now(), clock.skewMs()]).toEqual([400, undefined]);
  clock.hear(server() - 2_000);
  expect(server() - clock.now()).toBe(400);
  clock.hear(server() - 5);
  expect(server() - clock.now()).toBe(5);
});

test('a better measurement replaces a worse one, and a worse one changes nothing', () => {
  measure(500);
  measure(10);
  measure(300);
  expect(server() - clock.now()).toBe(10);
});

test('a clock of the server that was set back is believed by the next measurement', () => {
  clock.hear(server() + 60_000);
  measure();
  expect(server() - clock.now()).toBe(10);
});

test('a server that gives no time is not heard', () => {
  clock.hear(0);
  clock.hear(Number.NaN);
  expect(clock.now()).toBe(Date.now());
});
