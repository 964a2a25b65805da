import { parse } from 'chrono-node/en';
import fc from 'fast-check';
import { anyCharacter } from '../../../support/any-character';
import { namedTimes, toReadable } from '../../../../src/memory/search/named-times';
import { withHangLimit } from '../../../support/hang-limit';
import { pickCount } from '../../../support/thorough';

/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 25, 10);
const MAX_TIMES = 4;

/** The days of each named time, as `first..last`. */
async function daysIn(text: string, now = NOW): Promise<string[]> {
  return (await namedTimes(text, now)).map(({ from, to }) => {
    const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()];
    // Both ends are inclusive, so that a range has whole days.
    expect([first.slice(10), last.slice(10)]).toEqual(['T00:00:00.000Z', 'T23:59:59.999Z']);
    return `${first.slice(0, 10)}..${last.slice(0, 10)}`;
  });
}

const day = (date: string): string => `${date}..${date}`;

describe('the times that a text names', () => {
  it.each<[string, string]>([
    ['What happened on 2023-05-03?', day('2023-05-03')],
    ['on May 3, 2023', day('2023-05-03')],
    ['3 May 2023', day('2023-05-03')],
    ['What did I cook on the 3rd of May 2023?', day('2023-05-03')],
    ['on Friday, May 5, 2023', day('2023-05-05')],
    ['May 2023', '2023-05-01..2023-05-31'],
    ['Where did I live in 2022?', '2022-01-01..2022-12-31'],
    ['in the year 2022', '2022-01-01..2022-12-31'],
    ['in February 2024', '2024-02-01..2024-02-29'],
    ['from 3 to 7 May 2023', '2023-05-03..2023-05-07'],
    ['from 29 December 2023 to 2 January 2024', '2023-12-29..2024-01-02'],
  ])('are those of the calendar: %s', async (text, expected) => {
    expect(await daysIn(text)).toEqual([expected]);
  });

  it.each<[string, string]>([
    ['today', day('2026-11-25')],
    ['What did I do yesterday?', day('2026-11-24')],
    ['yesterday at 5 pm', day('2026-11-24')],
    ['3 days ago', day('2026-11-22')],
    ['Whom did I meet last week?', '2026-11-15..2026-11-21'],
    ['two weeks ago', '2026-11-08..2026-11-14'],
    ['a couple of weeks ago', '2026-11-08..2026-11-14'],
    ['in the past   couple  weeks', '2026-11-08..2026-11-25'],
    ['this month', '2026-11-01..2026-11-30'],
    ['last month', '2026-10-01..2026-10-31'],
    ['three months ago', '2026-08-01..2026-08-31'],
    ['Where did I travel last year?', '2025-01-01..2025-12-31'],
    ['What changed in the past 3 days?', '2026-11-22..2026-11-25'],
    ['since Monday', '2026-11-23..2026-11-25'],
  ])('are counted from now: %s', async (text, expected) => {
    expect(await daysIn(text)).toEqual([expected]);
  });

  it.each<[string, string]>([
    ['What did I buy on Friday?', day('2026-11-20')],
    ['on Thursday', day('2026-11-19')],
    ['on Wednesday', day('2026-11-25')],
    ['on Monday', day('2026-11-23')],
    ['last Friday', day('2026-11-20')],
    ['What did I plant in May?', '2026-05-01..2026-05-31'],
    ['in November', '2026-11-01..2026-11-30'],
    ['in December', '2025-12-01..2025-12-31'],
    ['on 3 May', day('2026-05-03')],
    ['on 25 November', day('2026-11-25')],
    ['on 26 November', day('2025-11-26')],
    ['from 20 to 30 December', '2025-12-20..2025-12-30'],
    ['from Friday to Monday', '2026-11-20..2026-11-23'],
  ])('are the latest that have begun, where no year is named: %s', async (text, expected) => {
    expect(await daysIn(text)).toEqual([expected]);
  });

  it.each([
    'What may I eat?',
    'May I ask about my order?',
    'sun exposure',
    'the sun and the wed couple',
    'my second cat',
    'I march on',
    'support 24/7',
    'room 2022',
    'in 3 days',
    'the second one',
    '7093 is what',
    '12 cats in room 101',
    'version 1.2.3 at 192.168.1.1',
    'at 5 pm',
    'the meeting at 10:30',
    'last time',
    'nothing of the kind',
    '',
  ])('are none in: %s', async (text) => {
    expect(await namedTimes(text, NOW)).toEqual([]);
  });

  it('are of the day in UTC, just after its begin and just before its end', async () => {
    expect(await daysIn('yesterday', Date.UTC(2026, 2, 1))).toEqual([day('2026-02-28')]);
    expect(await daysIn('yesterday', Date.UTC(2026, 2, 2) - 1)).toEqual([day('2026-02-28')]);
    expect(await daysIn('last month', Date.UTC(2026, 0, 31))).toEqual(['2025-12-01..2025-12-31']);
  });

  it('are several in the order of the text, at most four', async () => {
    expect(await daysIn('Was it on 3 May 2023 or in June 2024?')).toEqual([
      day('2023-05-03'),
      '2024-06-01..2024-06-30',
    ]);
    const many = Array.from({ length: 9 }, (_, at) => `${at + 1} May 2023`).join(' or ');
    expect(await daysIn(many)).toEqual(['01', '02', '03', '04'].map((date) => day(`2023-05-${date}`)));
  });

  it('are not looked for behind the first thousand characters', async () => {
    expect(await daysIn(`${'x '.repeat(400)}2023-05-03`)).toEqual([day('2023-05-03')]);
    expect(await namedTimes(`${'x '.repeat(500)}2023-05-03`, NOW)).toEqual([]);
  });

  it.each(['y couple ', 'couplemin ', 'a couple of y, ', '1 y   ', '1 y \t\n and   ', 'half   an   y  '])(
    'are looked for in no time in repeats of %j',
    (unit) => {
      const text = toReadable(`yesterday ${unit.repeat(1_000)}`);
      expect(withHangLimit(() => parse(text)).length).toBeGreaterThan(0);
    },
  );

  it('never fail, and are ranges with two ends, whatever the text', async () => {
    const word = fc.constantFrom(
      ...[
        'last',
        'this',
        'next',
        'past',
        'week',
        'weeks',
        'month',
        'year',
        'days',
        'ago',
        'in',
        'on',
        'from',
        'to',
      ],
      ...[
        'May',
        'March',
        'Feb',
        'Dec',
        'Friday',
        'sun',
        'yesterday',
        'today',
        'now',
        'BC',
        'AD',
        'before',
        'after',
      ],
      ...[
        '2023-05-03',
        '1999-13-45',
        '31',
        '29',
        '0',
        '99999',
        '10:30',
        '5 pm',
        '3/4',
        '2/30/2023',
        '-',
        ',',
        '.',
      ],
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc
        .array(fc.oneof(word, fc.integer().map(String), fc.string()), { maxLength: 8 })
        .map((parts) => parts.join(' ')),
    );
    const now = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    await fc.assert(
      fc.asyncProperty(text, now, async (named, at) => {
        const times = await namedTimes(named, at);
        expect(times.length).toBeLessThanOrEqual(MAX_TIMES);
        for (const { from, to } of times) {
          expect([Number.isFinite(from), Number.isFinite(to)]).toEqual([true, true]);
          expect(from).toBeLessThanOrEqual(to);
        }
      }),
      { numRuns: pickCount(1_000, 50_000) },
    );
  });
});
