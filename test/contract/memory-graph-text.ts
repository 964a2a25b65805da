import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { MemoryScope, SearchHit } from '../../src/stores/memory/search';
import { add, addAll, episodic, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

/** Texts that a query language might read as its operators. */
const OPERATORS = [
  '"',
  '""',
  '"unclosed',
  '*',
  'gar*',
  'NEAR(garden tree, 2)',
  'NEAR(',
  'AND',
  'garden AND',
  'OR NOT',
  '-garden',
  '+garden',
  '^garden',
  'text:garden',
  'scope : garden',
  '{a b} : garden',
  '(garden',
  'garden)',
  'garden~2',
  'garden^4',
  '[garden TO tree]',
  '/garden/',
  "garden'; DROP TABLE memories; --",
  'garden\0tree',
  '\\',
  '\\"',
  'a && b || !c',
  '%',
  '$garden',
  '🌳',
];

export function describeTextSearch(harness: () => MemoryGraphHarness): void {
  describe('text search', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    const search = (
      text: string,
      rest: Partial<MemoryScope> & { limit?: number } = {},
    ): Promise<SearchHit[]> => graph.searchText({ ...scopeOf('episodic'), text, limit: 10, ...rest });
    const found = async (text: string): Promise<string[]> => (await search(text)).map(({ id }) => id);
    const texts = (...list: string[]): Promise<string[]> =>
      addAll(
        graph,
        list.map((text) => episodic({ text })),
      );

    it('finds words, whatever their form, case and accents', async () => {
      const [walk] = await texts('We walked through Málaga, carrying NOTEBOOKS.', 'Nothing of the kind');
      const queries = ['walk', 'WALKING', 'malaga', 'málaga', 'MA\u0301LAGA', 'notebook', 'carry', 'carries'];
      for (const query of queries) expect([query, await found(query)]).toEqual([query, [walk]]);
      for (const query of ['wal', 'alaga', 'book', 'talk'])
        expect([query, await found(query)]).toEqual([query, []]);
    });

    it('takes words for alternatives, and more of them for better', async () => {
      const [one, both] = await texts(
        'a garden at night',
        'a tree in the garden at noon',
        'a house by the sea',
      );
      const hits = await search('garden tree unheard-of');
      expect(hits.map(({ id }) => id)).toEqual([both, one]);
      for (const { score } of hits) expect(score).toBeGreaterThan(0);
      expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? Infinity);
    });

    it('orders equals by id, however they were inserted', async () => {
      const ids = Array.from({ length: 12 }, () => episodic({ text: 'the same garden' }));
      await addAll(graph, [...ids].reverse());
      const expected = ids.map(({ id }) => id).sort();
      const hits = await search('garden', { limit: 7 });
      expect(hits.map(({ id }) => id)).toEqual(expected.slice(0, 7));
      expect(new Set(hits.map(({ score }) => score)).size).toBe(1);
      expect(await search('garden', { limit: 7 })).toEqual(hits);
    });

    it('returns as many as the limit allows', async () => {
      await texts(...Array.from({ length: 5 }, (_, index) => `garden ${index}`));
      expect(await search('garden', { limit: 3 })).toHaveLength(3);
      expect(await search('garden', { limit: 0 })).toEqual([]);
      expect(await search('garden', { limit: Number.MAX_SAFE_INTEGER })).toHaveLength(5);
    });

    it('never leaves its user and kind', async () => {
      const nodes = [
        episodic({ text: 'garden' }),
        episodic({ text: 'garden', userId: 'bob' }),
        episodic({ text: 'garden', userId: 'Ann' }),
        semantic({ text: 'garden' }),
        semantic({ text: 'garden', userId: 'bob' }),
      ];
      await addAll(graph, nodes);
      for (const { id, userId, kind } of nodes) {
        expect((await search('garden', { userId, kind })).map((hit) => hit.id)).toEqual([id]);
      }
      for (const userId of ['nobody', '', '*', '%', 'ann OR bob', '"']) {
        expect(await search('garden', { userId })).toEqual([]);
      }
    });

    it.each(OPERATORS)('has no operators: %s', async (query) => {
      const nodes = [episodic({ text: 'the garden' }), episodic({ text: 'the garden', userId: 'bob' })];
      const [own] = await addAll(graph, nodes);
      const ids = await found(query);
      const words: string[] = query.toLowerCase().match(/[a-z]+/g) ?? [];
      expect(ids).toEqual(words.includes('garden') ? [own] : []);
    });

    it('finds words that look like operators', async () => {
      const [near, not] = await texts('standing NEAR to it', 'say not so', 'nothing');
      expect(await found('near')).toEqual([near]);
      expect(await found('NEAR')).toEqual([near]);
      expect(await found('not')).toEqual([not]);
    });

    it('finds words of other scripts and numbers', async () => {
      const [ru, ja, he, number] = await texts('Прогулка в парке', '散歩 公園', 'טיול בפארק', 'room 4711 b');
      expect(await found('прогулка')).toEqual([ru]);
      expect(await found('公園')).toEqual([ja]);
      expect(await found('בפארק')).toEqual([he]);
      expect(await found('4711')).toEqual([number]);
    });

    it.each([
      ['Chinese', '我喜欢喝绿茶', ['绿茶', '喜欢', '茶', '我喜欢喝绿茶', '绿茶！'], ['红茶', '绿喝', '红']],
      ['Japanese', '今日は成語しりとりをした。', ['しりとり', '成語', '今'], ['りしと', '明']],
      ['half-width Japanese', 'ﾊﾝﾊﾞｰｶﾞｰを食べた', ['ハンバーガー', 'ﾊﾝﾊﾞｰｶﾞｰ', '食べ'], ['バス']],
      ['Korean', '어제 서울에서 친구를 만났어요', ['서울', '친구', '만났', '집 친구'], ['부산', '제서']],
      ['Thai', 'ฉันชอบดื่มชาเขียวทุกเช้า', ['ชาเขียว', 'ทุกเช้า', 'ดื่มชา'], ['กาแฟ', 'บ้าน']],
      ['Lao', 'ຂ້ອຍມັກດື່ມຊາຂຽວທຸກເຊົ້າ', ['ຊາຂຽວ'], ['ກາເຟ']],
      ['Khmer', 'ខ្ញុំចូលចិត្តផឹកតែបៃតង', ['បៃតង'], ['កាហ្វេ']],
      ['Burmese', 'ကျွန်တော်လက်ဖက်ရည်သောက်ချင်တယ်', ['လက်ဖက်ရည်'], ['ကော်ဖီ']],
      ['two scripts', '我用iPhone拍照', ['iphones', 'IPHONE', '拍照', 'tea 拍照'], ['phone']],
      ['full-width letters', 'ＮＨＫを見る', ['NHK', 'ｎｈｋ'], ['bbc']],
    ])('finds parts of a sentence in %s', async (_, text, queries, others) => {
      const [id] = await texts(text, 'a garden at night', '天気がいい', 'อากาศดี', '날씨가 좋아요');
      for (const query of queries) expect([query, await found(query)]).toEqual([query, [id]]);
      for (const query of others) expect([query, await found(query)]).toEqual([query, []]);
    });

    it.each([
      ['Café', 'cafe CAFÉ CAFE\u0301'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος Σισυφος ΣΙΣΥΦΟΣ'],
      ['Σίσυφος', 'ΣΊΣΥΦΟΣ σισυφος'],
      ['İstanbul', 'istanbul ISTANBUL İSTANBUL'],
      ['istanbul', 'İstanbul'],
      ['Ёлка', 'елка ЁЛКА ёлка'],
      ['елка', 'Ёлка'],
      ['Đường', 'đương ĐƯỜNG'],
    ])('folds case and accents of %s', async (text, queries) => {
      const [id] = await texts(`on ${text} again`, 'a garden');
      for (const query of queries.split(' ')) expect([query, await found(query)]).toEqual([query, [id]]);
    });

    it('ranks a text with more of the parts of a query first, beside words', async () => {
      const crowd = Array.from({ length: 20 }, (_, index) => `我喜欢第${index}个地方`);
      const [pairs, tea] = await texts('我喜欢喝绿茶', 'green tea and cake', ...crowd);
      expect((await found('你喜欢喝绿茶吗'))[0]).toBe(pairs);
      const both = await found('绿茶 cake');
      expect(both.sort()).toEqual([pairs, tea].sort());
    });

    it('goes by the parts of the text as it is now', async () => {
      const [id] = (await texts('我喜欢喝绿茶')) as [string];
      await graph.update(id, { weight: 1 });
      expect(await found('绿茶')).toEqual([id]);
      await graph.update(id, { text: '我喜欢喝咖啡 green' });
      expect([await found('绿茶'), await found('咖啡'), await found('喜欢')]).toEqual([[], [id], [id]]);
      await graph.update(id, { text: 'coffee' });
      expect([await found('咖啡'), await found('coffee')]).toEqual([[], [id]]);
      await graph.update(id, { text: 'กาแฟดำ' });
      await graph.delete(id);
      expect(await found('กาแฟ coffee 咖啡')).toEqual([]);
      await texts('ชาเขียว');
      await graph.beginErasure('ann');
      await graph.eraseSome('ann', 10);
      await graph.endErasure('ann');
      expect(await found('ชาเขียว')).toEqual([]);
    });

    it('looks for memories of another version page by page, and has none where it wrote them', async () => {
      const ids = await texts(...Array.from({ length: 5 }, (_, index) => `绿茶 number${index}`));
      const last: string[] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const page = await graph.renewWords({ after, limit: 2 });
        expect(page.renewed).toBe(0);
        ({ after } = page);
        if (after !== undefined) last.push(after);
      }
      expect(last.length).toBeGreaterThanOrEqual(2);
      expect(ids.sort()).toEqual(expect.arrayContaining(last));
      expect(await graph.isWordIndexCurrent()).toBe(true);
      expect(await found('绿茶')).toHaveLength(5);
    });

    it('finds nothing for nothing', async () => {
      await texts('a garden', '', ' ');
      for (const query of ['', ' ', '\n\t', '...', '!?', '\0']) expect(await found(query)).toEqual([]);
    });

    it('takes long questions', async () => {
      const [garden] = await texts('a garden');
      expect(await found(`garden ${'other words again '.repeat(2_000)}`)).toEqual([garden]);
      expect(await found('x'.repeat(100_000))).toEqual([]);
      const many = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
      expect(await found(`garden ${many}`)).toEqual([garden]);
    });

    it('goes by the text as it is now, seen from any process', async () => {
      const [id] = (await texts('a garden')) as [string];
      const other = harness().connect();
      await graph.update(id, { text: 'a kitchen' });
      expect(await other.searchText({ ...scopeOf('episodic'), text: 'garden', limit: 5 })).toEqual([]);
      expect(await other.searchText({ ...scopeOf('episodic'), text: 'kitchens', limit: 5 })).toHaveLength(1);
      for (let round = 0; round < 20; round += 1) {
        const node = episodic({ text: `round number${round}` });
        await add(round % 2 === 0 ? graph : other, node);
        const reader = round % 3 === 0 ? graph : other;
        const hits = await reader.searchText({ ...scopeOf('episodic'), text: `number${round}`, limit: 5 });
        expect(hits.map((hit) => hit.id)).toEqual([node.id]);
      }
    });
  });
}
