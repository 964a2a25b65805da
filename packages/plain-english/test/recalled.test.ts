import {
  answerFromMemories,
  asksAboutUser,
  describeToolResults,
  fillFromMemories,
  nothingKnown,
  recallTerms,
  replyToTalk,
  type RecalledText,
} from '../src';
import { isKindOf } from '../src/recall/kinds';
import { nounSenses } from '../src/recall/wordnet';

const now = new Date('2026-11-21T10:00:00Z');

function told(text: string, day: string, more: Partial<RecalledText> = {}): RecalledText {
  const timestamp = `${day}T08:00:00Z`;
  return { id: `${day} ${text}`, kind: 'episodic', role: 'user', text, timestamp, relevance: 0.5, ...more };
}

describe('answers from memories', () => {
  const tea = told('My name is Dana and I prefer tea', '2026-11-20');

  it('joins a question and a statement that share no word, and says where it is from', () => {
    expect(answerFromMemories('What do I like to drink?', [tea], now)).toEqual({
      text: 'You told me on 2026-11-20: you prefer tea.',
      sourceIds: [tea.id],
    });
  });

  it('takes the newer of two statements, in whatever order they come', () => {
    const memories = [
      told('I moved to Oslo last week.', '2026-11-10'),
      told('I live in Rome.', '2026-10-01'),
    ];
    for (const given of [memories, memories.toReversed()]) {
      expect(answerFromMemories('Where do I live?', given, now)?.sourceIds).toEqual([memories[0]?.id]);
    }
  });

  it('names every memory that an answer of several parts rests on', () => {
    const memories = [told('I like cocoa.', '2026-11-02'), tea];
    expect(answerFromMemories('What do I like to drink?', memories, now)).toEqual({
      text: 'You told me: you prefer tea (2026-11-20); and you like cocoa (2026-11-02).',
      sourceIds: [tea.id, memories[0]?.id],
    });
  });

  it('says yes and no', () => {
    const memories = [told('I never eat fish.', '2026-11-02')];
    expect(answerFromMemories('Do I eat fish?', memories, now)?.text).toBe(
      'No. You told me on 2026-11-02: you never eat fish.',
    );
  });

  it('takes what the assistant said only where the user said nothing', () => {
    const said = told('You live in Rome.', '2026-11-20', { role: 'assistant' });
    expect(answerFromMemories('Where do I live?', [said], now)?.text).toBe(
      'I said on 2026-11-20: you live in Rome.',
    );
    const memories = [said, told('I live in Bari.', '2026-01-01')];
    expect(answerFromMemories('Where do I live?', memories, now)?.text).toContain('Bari');
  });

  it('leaves out what was told later than now', () => {
    expect(
      answerFromMemories('Where do I live?', [told('I live in Bari.', '2026-12-24')], now),
    ).toBeUndefined();
  });

  it.each([
    ['When did I meet Bob?', 'I met Bob yesterday', 'met Bob'],
    ['How old am I?', 'I was born on 3 May 1990', '1990'],
  ])('ends whatever a date repeats: %s', (query, said, wanted) => {
    // The parser of dates alone would take longer than any test may.
    const memory = told(`${said} ${'y couple '.repeat(40)}`, '2026-10-01');
    expect(answerFromMemories(query, [memory], now)?.text).toContain(wanted);
  });

  it('needs no timestamp', () => {
    const { timestamp: _, ...undated } = tea;
    expect(answerFromMemories('What is my name?', [undated], now)?.text).toBe(
      'You told me: your name is Dana.',
    );
  });
});

describe('filled queries', () => {
  it('puts what was told in place of the question for it', () => {
    const memory = told('I use 12 litres per week', '2026-11-01');
    expect(fillFromMemories('How many litres did I say I use per week, times 4?', [memory], now)).toEqual({
      query: '12 times 4',
      unit: 'litres',
      sourceIds: [memory.id],
    });
  });

  it('reads the second of two things that are to be remembered', () => {
    const said = 'Remember that my sister lives in Lisbon and that I drink 3 cups of coffee a day.';
    const memory = told(said, '2026-11-01');
    const query = 'Take the number of cups of coffee I told you about and add 10 to it.';
    expect(fillFromMemories(query, [memory], now)).toMatchObject({ query: 'Take 3 and add 10 to it.' });
    expect(recallTerms(query)).toEqual(expect.arrayContaining(['cups', 'coffee']));
  });

  it('says what is not known', () => {
    expect(fillFromMemories('Multiply my rent by 12', [], now)).toEqual({
      query: undefined,
      reason: 'Nothing is known about my rent.',
    });
  });
});

describe('talk', () => {
  it.each([
    ['My name is Dana and I prefer tea.', 'Noted: your name is Dana, and you prefer tea.'],
    ['I was at my desk and we were late', 'Noted: you were at your desk, and you were late.'],
    ['Call me Bea.', 'Noted: you are called Bea.'],
    ['my mum gave me her old bike', 'Noted: your mum gave you her old bike.'],
    ['Hello!', 'Hello! What can I do for you?'],
    ['Good morning', 'Good morning! What can I do for you?'],
    ['Thank you very much for your help', 'You are welcome.'],
    ['Thanks a lot, you have been a great help.', 'You are welcome.'],
    [
      'Please remember that my sister lives in Lisbon and that I drink 3 cups of coffee a day.',
      'Noted: your sister lives in Lisbon, and you drink 3 cups of coffee a day.',
    ],
  ])('replies to %j', (query, reply) => {
    expect(replyToTalk(query, 'not-configured')).toBe(reply);
  });

  it.each(['Where do I live?', 'I live in Rome. Where do I live?', 'Multiply 6 by 7', 'Tell me a joke', ''])(
    'leaves %j to others',
    (query) => {
      expect(replyToTalk(query, 'not-configured')).toBeUndefined();
    },
  );
});

describe('results of tools', () => {
  const calculation = (operation: string, a: number, b: number, output: unknown) => ({
    toolName: 'calculator',
    args: { operation, a, b },
    output,
  });

  it('writes calculations as equations', () => {
    expect(
      describeToolResults('What is 15 times 7?', [calculation('multiply', 15, 7, { result: 105 })]),
    ).toBe('15 × 7 = 105.');
    const steps = [calculation('multiply', 6, 7, 42), calculation('subtract', 42, 2, 40)];
    expect(describeToolResults('', steps)).toBe('6 × 7 = 42, then 42 − 2 = 40.');
  });

  it('names the unit of what was calculated', () => {
    const steps = [calculation('multiply', 12, 4, 48)];
    expect(describeToolResults('', steps, 'litres')).toBe('12 × 4 = 48 litres.');
  });

  it('says what failed', () => {
    const failed = {
      toolName: 'api_call',
      args: { url: 'https://example.com' },
      error: 'The host is not allowed',
    };
    expect(describeToolResults('', [calculation('add', 1, 1, 2), failed])).toBe(
      '1 + 1 = 2.\nThe call of api_call failed: The host is not allowed.',
    );
  });

  it.each([
    [
      'weather',
      { location: 'Oslo' },
      { location: 'Oslo', country: 'Norway', temperature: 3, condition: 'Rain' },
      'In Oslo, Norway it is 3 °C, rain.',
    ],
    [
      'api_call',
      { url: 'https://x.example' },
      { status: 404, data: null },
      'GET https://x.example answered 404 with an empty body.',
    ],
    ['json_reader', { path: '$.a' }, { result: [1, 2], path: '$.a' }, 'The value at $.a is [1,2].'],
    ['file_read', { path: 'a.txt' }, { path: 'a.txt', content: 'hi' }, 'The file a.txt contains: hi.'],
    ['anything', {}, { ok: true }, 'The result of anything is {"ok":true}.'],
    ['calculator', { operation: 'power' }, 'odd', 'The result of calculator is odd.'],
  ])('tells the result of %s', (toolName, args, output, sentence) => {
    expect(describeToolResults('', [{ toolName, args, output }])).toBe(sentence);
  });
});

describe('words', () => {
  it('searches for what a drink may be', () => {
    expect(recallTerms('What do I like to drink?')).toEqual(
      expect.arrayContaining(['prefer', 'tea', 'coffee']),
    );
    expect(recallTerms('What do I like to drink?').length).toBeLessThanOrEqual(24);
  });

  it.each([
    ['tea', 'drink', true],
    ['mangoes', 'fruit', true],
    ['cello', 'instrument', true],
    ['oslo', 'city', true],
    ['teal', 'colour', true],
    ['table', 'drink', false],
    ['tractor', 'fruit', false],
    ['nonsenseword', 'food', false],
  ])('%s, %s: %s', (noun, kind, is) => {
    expect(isKindOf(noun, kind)).toBe(is);
  });

  it('finds the first, the last and the odd lines of the index', () => {
    expect(nounSenses('a cappella singing').length).toBeGreaterThan(0);
    expect(nounSenses('zymurgy').length).toBeGreaterThan(0);
    expect(nounSenses('violin').length).toBeGreaterThan(0);
    expect(nounSenses('no such noun')).toEqual([]);
  });

  it('says something else for each kind of question', () => {
    const kinds = ['memory_chat', 'knowledge_search', 'tool_execution', 'conversation'];
    expect(
      new Set(
        kinds.map((kind) => nothingKnown('What is it?', { intent: kind, withMemory: true, why: 'failed' })),
      ).size,
    ).toBe(kinds.length);
  });

  it.each(['memory_chat', 'hybrid', 'knowledge_search'])('says of %s that memory was not asked', (intent) => {
    const said = nothingKnown('Where do I work?', { intent, withMemory: false, why: 'not-configured' });
    expect(said).toMatch(/did not look into/);
    expect(said).not.toMatch(/I have no memory|Nothing in my/);
  });

  it.each(['not-chosen', 'failed'] as const)('says of no model that it is not configured: %s', (why) => {
    const said = ['knowledge_search', 'conversation', 'memory_chat'].map((intent) =>
      nothingKnown('Who discovered Zorgon?', { intent, withMemory: true, why }),
    );
    expect([...said, replyToTalk('Who are you?', why)].join('\n')).not.toMatch(/configure/i);
  });

  it.each([
    ['Where do I work?', true],
    ['What is the name of my plumber?', true],
    ['Who discovered the planet Zorgon?', false],
    ['I like tea', false],
  ])('%s asks about its author: %s', (query, is) => {
    expect(asksAboutUser(query)).toBe(is);
  });
});
