import fc from 'fast-check';
import { queryParts, textParts } from '../../../../src/base/text/search-parts';
import { withHangLimit } from '../../../support/hang-limit';

/** Whether a text is found by all parts of a query. */
function isFound(text: string, query: string): boolean {
  const parts = new Set(textParts(text));
  const wanted = queryParts(query);
  return wanted.length > 0 && wanted.every((part) => parts.has(part));
}

test.each([
  ['我喜欢喝绿茶', '绿茶'],
  ['我喜欢喝绿茶', '茶'],
  ['今日は成語しりとりをした', 'しりとり'],
  ['ラーメンが好き', 'ラーメン'],
  ['ﾊﾝﾊﾞｰｶﾞｰを食べた', 'ハンバーガー'],
  ['ハンバーガーを食べた', 'ﾊﾝﾊﾞｰｶﾞｰ'],
  ['佐々木さん', '佐々木'],
  ['서울에서 만났어요', '서울'],
  ['집에 가요', '집'],
  ['ＮＨＫを見る', 'ｎｈｋ'],
  ['我用iPhone拍照', '拍照'],
  ['葛\u{e0100}城', '葛城'],
  ['ฉันชอบดื่มชาเขียวทุกเช้า', 'ชาเขียว'],
  ['เขาทำน้ำส้ม', 'น้ำส้ม'],
  ['ຂ້ອຍມັກດື່ມຊາຂຽວທຸກເຊົ້າ', 'ຊາຂຽວ'],
  ['ខ្ញុំចូលចិត្តផឹកតែបៃតង', 'បៃតង'],
  ['ခင်ဗျားကျွန်တော်လက်ဖက်ရည်သောက်ချင်တယ်', 'လက်ဖက်ရည်'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['Ёлка', 'ёлка'],
])('%s is found by %s', (text, query) => {
  expect(isFound(text, query)).toBe(true);
});

test.each([
  ['绿色的茶杯', '绿茶'],
  ['서울 에서', '울에'],
  ['เขาดูดี', 'ดู่'],
  ['мои', 'мой'],
])('%s is not found by %s', (text, query) => {
  expect(isFound(text, query)).toBe(false);
});

test('what is written together with such a script is a part too', () => {
  expect(textParts('我用iPhone拍照')).toContain('iphone');
  expect(textParts('ΣΊΣΥΦΟΣ')).toEqual(['σισυφος']);
});

test.each(['', 'I like green tea.', 'Café crème, “İstanbul” – naïve', 'прогулка', 'हिन्दी', 'עברית'])(
  'words that both stores find as they are have no parts: %s',
  (text) => {
    expect([textParts(text), queryParts(text)]).toEqual([[], []]);
  },
);

const characters = fc.constantFrom(...Array.from('我喜欢喝绿茶今日はしりとりラーメン서울에서만났어요々ー〇'));

test('a text in pairs is found by every part of it', () => {
  const text = fc.array(characters, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (all, from, length) => {
      const start = from % all.length;
      const query = all.slice(start, start + 1 + (length % (all.length - start))).join('');
      expect(isFound(`say ${all.join('')}!`, query)).toBe(true);
    }),
  );
});

test('parts are the same each time, and have neither spaces nor marks', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(text, (one) => {
      const parts = textParts(one);
      expect(textParts(one)).toEqual(parts);
      expect(parts.filter((part) => !/^[^\s"\p{M}]+$/u.test(part))).toEqual([]);
    }),
  );
});

test('a long text without a space takes time in proportion to its length, and its words are those of its sentences', () => {
  const sentence = 'ฉันชอบดื่มชาเขียวทุกเช้าที่ร้านกาแฟใกล้บ้าน';
  const words = textParts(sentence);
  const repeats = 2_000;
  const parts = withHangLimit(() => textParts(sentence.repeat(repeats)));
  expect(parts).toHaveLength(words.length * repeats);
  expect(new Set(parts)).toEqual(new Set(words));
});
