import {
  answerFromMemories,
  fillFromMemories,
  replyToTalk,
  type RecalledText,
} from '../../../../src/llm/builtin/recalled';

const now = new Date('2026-11-21T10:00:00Z');

function told(text: string, day: string, more: Partial<RecalledText> = {}): RecalledText {
  return {
    id: `${day} ${text}`,
    kind: 'episodic',
    role: 'user',
    text,
    timestamp: `${day}T08:00:00Z`,
    relevance: 0.5,
    ...more,
  };
}

describe('answers from memories', () => {
  const tea = told('My name is Dana and I prefer tea', '2026-11-20');

  it('joins a question and a statement that share no word, and says where it is from', () => {
    expect(answerFromMemories('What do I like to drink?', [tea], now)).toEqual({
      text: 'You told me on 2026-11-20: you prefer tea.',
      sourceIds: [tea.id],
    });
  });

  it('takes the newer of two statements', () => {
    const memories = [
      told('I moved to Oslo last week.', '2026-11-10'),
      told('I live in Rome.', '2026-10-01'),
    ];
    expect(answerFromMemories('Where do I live?', memories, now)?.text).toContain('Oslo');
  });

  it('fills a calculation with what was told', () => {
    const memory = told('I use 12 litres per week', '2026-11-01');
    expect(fillFromMemories('How many litres did I say I use per week, times 4?', [memory], now)).toEqual({
      query: '12 times 4',
      unit: 'litres',
      sourceIds: [memory.id],
    });
  });

  it('acknowledges facts in the second person', () => {
    expect(replyToTalk('My name is Dana and I prefer tea.', now)).toBe(
      'Noted: your name is Dana, and you prefer tea.',
    );
  });
});
