import { luceneQuery, scopeTerm, termsOf } from '../../../src/stores/neo4j/memory/terms';

describe('the terms of a text', () => {
  // The database stores these terms: a change of them needs another PARTS_VERSION, so that a run renews those of all memories.
  it.each([
    ['We walked through Málaga, carrying NOTEBOOKS.', 'we walk through malaga carry notebook'],
    ['Прогулка в парке 4711', 'прогулка в парке 4711'],
    ['"quoted" AND text:field^4 -not', 'quot and text field 4 not'],
    ['我用iPhones', '我用iphones 我 用 我用 iphon'],
    ['', ''],
    ['... !? \0', ''],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toBe(terms);
  });

  it('are cut where the index would cut them', () => {
    expect(termsOf('x'.repeat(1_000))).toBe('x'.repeat(100));
  });
});

describe('the query for a text', () => {
  it('names the user and the words, and nothing that a person typed as it is', () => {
    const user = scopeTerm('ann" OR scope:*');
    expect(user).toMatch(/^[0-9a-f]{64}$/);
    expect(luceneQuery('ann" OR scope:*', 'Walking") OR *:* \\"gardens')).toBe(
      `scope:"${user}"^0 AND terms:("walk" OR "garden")`,
    );
  });

  it('is none if there is no word', () => {
    expect(luceneQuery('ann', ' ... ')).toBeUndefined();
  });

  it('tells users apart whose names differ in a half of a pair only', () => {
    expect(scopeTerm('\ud83d')).not.toBe(scopeTerm('\ud83e'));
  });
});
