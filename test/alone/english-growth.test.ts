import { isPlainEnglishError, KNOWN_TOOLS, type ToolDescription, understand } from '@holdfast/plain-english';

const TRIES = 3;
/** The processor's time is counted in steps that may be longer than one piece of work. */
const REPEATS = 10;

function plan(query: string, tools: readonly ToolDescription[]): void {
  try {
    understand(query, tools);
  } catch (error) {
    if (!isPlainEnglishError(error)) throw error;
  }
}

/** How many times the CPU time of `smaller` the CPU time of `larger` is, each the least of several tries. */
function compareTimes(larger: () => void, smaller: () => void): number {
  const leastOf = (work: () => void): number => {
    const times = Array.from({ length: TRIES }, () => {
      const before = process.cpuUsage();
      for (let n = 0; n < REPEATS; n += 1) work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };
  // Code that has run often is faster than at the beginning, so both run before either is measured.
  for (const work of [larger, smaller]) leastOf(work);
  return leastOf(larger) / leastOf(smaller);
}

test('the time of many requests grows by less than the square of their number', () => {
  const requests = (count: number): string => 'weather in paris and '.repeat(count);
  const timeRatio = compareTimes(
    () => plan(requests(44), KNOWN_TOOLS),
    () => plan(requests(11), KNOWN_TOOLS),
  );
  // The square would be 16. It is about 10, and a query has at most 1,000 characters.
  expect(timeRatio).toBeLessThan(14);
});

test('four times as many tools take about four times as long', () => {
  const request = 'Please book a room for 5 people on 3 May 2026, and then send the invoice to Ann Smith.';
  const offer = (count: number): ToolDescription[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `${['book', 'send', 'find', 'list'][at % 4]}_${['room', 'invoice', 'order'][at % 3]}_${at}`,
      description: `Does number ${at} for a person, with a text and a date`,
      parameters: {
        to: { type: 'string', description: 'who gets it', required: true },
        text: { type: 'string', description: 'what it says', required: true },
        date: { type: 'string', description: 'when', required: false },
      },
    }));
  const timeRatio = compareTimes(
    () => plan(request, offer(200)),
    () => plan(request, offer(50)),
  );
  // The square would be 16.
  expect(timeRatio).toBeLessThan(8);
});
