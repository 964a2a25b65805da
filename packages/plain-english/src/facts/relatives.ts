import { conceptOf } from '../recall/words';

const RELATIVES = new Set(
  (
    'sister brother mother father spouse child son daughter cousin aunt uncle niece nephew grandmother grandfather wife husband fiance fiancee friend boss ' +
    'neighbour neighbor colleague girlfriend boyfriend partner teacher dentist landlord doctor flatmate roommate housemate twin ' +
    'parents parent sibling grandson granddaughter stepmother stepfather baby coach tutor client assistant manager ex dog cat ' +
    'horse hamster rabbit parrot puppy kitten bird fish mother-in-law father-in-law sister-in-law brother-in-law godmother godfather'
  )
    .split(' ')
    .map(conceptOf),
);

/** True for those that people have: relatives, colleagues, pets. */
export function isRelative(lower: string): boolean {
  return RELATIVES.has(conceptOf(lower));
}
