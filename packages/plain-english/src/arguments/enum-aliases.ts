/** Names that people use for standard codes. */
const CODES = new Map(
  (
    'usd dollar dollars buck bucks $ / eur euro euros € / gbp pound pounds sterling quid £ / jpy yen ¥ / ' +
    'chf franc francs / inr rupee rupees ₹ / cny yuan renminbi / sek krona kronor / pln zloty / brl real / ' +
    'mxn peso pesos / krw won / imperial fahrenheit / metric celsius / celsius centigrade / km kilometres ' +
    'kilometers / mi miles / kg kilograms kilos / g grams / m metres meters / l litres liters / h hours / ' +
    'min minutes'
  )
    .split(' / ')
    .map((group) => group.split(' '))
    .flatMap(([code = '', ...names]) => names.map((name) => [name, code] as const)),
);

/** Words that mean the same as a choice; which of them is a choice, the tool says. */
const GROUPS = (
  'urgent critical asap immediate immediately / high important urgent critical / low minor unimportant ' +
  'trivial / medium normal moderate average / sms text texting / email mail / checkup examination ' +
  'check-up / vaccination vaccine shot jab / stolen theft robbed stole / lost missing lose / damaged ' +
  'broken cracked defective / cancelled canceled / maths mathematics math / production prod live / ' +
  'staging stage / development dev / savings saving / checking current / large big / small little / male ' +
  'man / female woman / monthly month / weekly week / daily day / yearly annual annually year / car ' +
  'automobile / motorcycle motorbike / paid settled / unpaid outstanding'
)
  .split(' / ')
  .map((group) => group.split(' '));

/** True where a word says a choice by another name. */
export function isAlias(written: string, wanted: string): boolean {
  return (
    CODES.get(written) === wanted || GROUPS.some((group) => group.includes(written) && group.includes(wanted))
  );
}
