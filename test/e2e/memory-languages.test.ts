import {
  clearMemories,
  countMemories,
  findMemories,
  LEXICAL,
  newUser,
  putEpisodic,
  remember,
} from '../support/memories';
import { type Service, startService } from '../support/service';

let service: Service;

/** A memory of each language, with a part by which it is found, and how it says something else. */
const SAID = [
  ['Chinese', '我喜欢喝绿茶，不喜欢咖啡', '绿茶', '我去年搬到了上海', '上海'],
  ['Japanese', '今日は成語しりとりをした', 'しりとり', '来週は京都へ行く', '京都'],
  ['Korean', '어제 서울에서 친구를 만났어요', '서울', '부산에서 일해요', '부산'],
  ['Thai', 'ฉันชอบดื่มชาเขียวทุกเช้า', 'ชาเขียว', 'ฉันทำงานที่เชียงใหม่', 'เชียงใหม่'],
] as const;

/** Others that share a frequent part with what is searched, and ones that share none. */
const OTHERS = [
  ...Array.from({ length: 30 }, (_, n) => `我喜欢第${n}个公园的花`),
  ...Array.from({ length: 30 }, (_, n) => `今日は${n}番の電車に乗った`),
  ...Array.from({ length: 30 }, (_, n) => `친구가 ${n}번 버스를 탔어요`),
  ...Array.from({ length: 30 }, (_, n) => `ฉันชอบร้านที่ ${n} ในตลาด`),
  'We drank green tea in the garden',
];

beforeAll(async () => {
  service = await startService(LEXICAL);
});
afterAll(() => service.stop());

const contentsFound = async (userId: string, query: string): Promise<string[]> =>
  (await findMemories(service, userId, query)).body.data.episodic.map(
    ({ content }: { content: string }) => content,
  );

describe('memories are found by a part of a sentence', () => {
  const user = newUser();
  const ids = new Map<string, string>();
  // Neighbours in a session are found with each other.
  const store = async (userId: string, content: string, sessionId: string): Promise<void> => {
    ids.set(content, (await remember(service, userId, content, { sessionId })).body.data.id);
  };
  beforeAll(async () => {
    const contents = [...OTHERS, ...SAID.map(([, content]) => content)];
    for (const [index, content] of contents.entries()) await store(user, content, `session-${index}`);
  });

  test.each(SAID)('of %s: %s by %s', async (_, content, part) => {
    expect(await contentsFound(user, part)).toEqual([content]);
    expect((await contentsFound(user, content))[0]).toBe(content);
    expect(await contentsFound(user, `tea ${part}`)).toEqual(
      expect.arrayContaining([content, 'We drank green tea in the garden']),
    );
  });

  test.each(SAID)('of %s, as it is after a change', async (_, content, part, changed, other) => {
    await putEpisodic(service, ids.get(content) ?? '', { content: changed });
    expect(await contentsFound(user, part)).toEqual([]);
    expect(await contentsFound(user, other)).toEqual([changed]);
  });

  test('until they are deleted or erased', async () => {
    const [[, first, , firstNow, firstPart], [, , , , secondPart]] = SAID;
    expect(firstNow).toContain(firstPart);
    await service.send('DELETE', `/api/memory/episodic/${ids.get(first)}`);
    expect(await contentsFound(user, firstPart)).toEqual([]);
    expect(await contentsFound(user, secondPart)).toHaveLength(1);
    await clearMemories(service, user);
    expect(await countMemories(service, user)).toEqual({ episodic: 0, semantic: 0 });
    expect(await contentsFound(user, secondPart)).toEqual([]);
  });
});

test('a search takes words of two languages, whatever their case and accents', async () => {
  const user = newUser();
  for (const [index, content] of [
    '我用iPhone拍照',
    'Met at Café Σίσυφος in İstanbul',
    'Ёлка уже стоит',
    'a lamp',
  ].entries())
    await remember(service, user, content, { sessionId: `session-${index}` });
  expect(await contentsFound(user, 'iphone')).toEqual(['我用iPhone拍照']);
  expect(await contentsFound(user, 'ΣΊΣΥΦΟΣ cafe istanbul')).toEqual(['Met at Café Σίσυφος in İstanbul']);
  expect(await contentsFound(user, 'елка')).toEqual(['Ёлка уже стоит']);
});
