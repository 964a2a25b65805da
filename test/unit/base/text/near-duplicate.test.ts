import { isNearDuplicate, toComparedText } from '../../../../src/base/text/near-duplicate';

const same = (one: string, other: string): boolean =>
  isNearDuplicate(toComparedText(one), toComparedText(other));

test.each([
  ['Ada plays the violin in the town square', 'ada played the violin in the town squares!'],
  ['The cat of Ada sleeps on the red sofa', 'A cat of Ada sleeps on the red sofa'],
  ['', ''],
])('%j and %j say the same', (one, other) => {
  expect([same(one, other), same(other, one)]).toEqual([true, true]);
});

test.each([
  [
    'My budget for the trip to the sea this summer is 200 euros',
    'My budget for the trip to the sea this summer is 300 euros',
  ],
  [
    'I pay four hundred a month for the flat by the river',
    'I pay six hundred a month for the flat by the river',
  ],
  ['It costs 20 € at the shop on the corner', 'It costs 20 $ at the shop on the corner'],
  ['I like the soup of the canteen at work', 'I do not like the soup of the canteen at work'],
  ['I would eat the soup of the canteen here', 'I wouldn’t eat the soup of the canteen here'],
  ['The key to the shed is with Tom today', 'The key to the shed is with Ben today'],
  ['Tom has the key to the shed today and tomorrow', 'Ben has the key to the shed today and tomorrow'],
  ['Ann owes Bob money', 'Bob owes Ann money'],
  ['200 for food and 300 for rent', '300 for food and 200 for rent'],
  ['tea', 'coffee'],
])('%j and %j are two facts', (one, other) => {
  expect([same(one, other), same(other, one)]).toEqual([false, false]);
});
