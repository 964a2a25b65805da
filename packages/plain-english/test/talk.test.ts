import { asksAboutUser, describeToolResults, nothingKnown, replyToTalk } from '../src';

describe('talk', () => {
  it.each([
    ['My name is Dana and I prefer tea.', 'Noted: “My name is Dana and I prefer tea”.'],
    ['Please remember that my sister lives in Lisbon.', 'Noted: “my sister lives in Lisbon”.'],
    ['The gate code is 2210', 'Noted: “The gate code is 2210”.'],
    ['Call me Bea.', 'Noted: “Call me Bea”.'],
    ['Hello!', 'Hello! What can I do for you?'],
    ['Good morning', 'Good morning! What can I do for you?'],
    ['Thank you very much for your help', 'You are welcome.'],
    ['Thanks a lot, you have been a great help.', 'You are welcome.'],
  ])('replies to %j', (query, reply) => {
    expect(replyToTalk(query, 'not-configured')).toBe(reply);
  });

  it.each([
    'Where do I live?',
    'I live in Rome. Where do I live?',
    'Multiply 6 by 7',
    'Tell me a joke',
    'Summarise what I told you about my health',
    '',
  ])('leaves %j to others', (query) => {
    expect(replyToTalk(query, 'not-configured')).toBeUndefined();
  });

  it.each([
    'Please forget the wifi password',
    'forget that I live in Lisbon',
    'Delete everything you know about me.',
    'Could you delete my wifi password from your memory?',
    "Don't remember my address",
  ])('says how to delete: %s', (query) => {
    const reply = replyToTalk(query, 'not-configured');
    expect(reply).toContain('DELETE /api/memory/episodic/{id}');
    expect(reply).toContain('DELETE /api/memory/facts/{userId}/{factId}');
  });
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
