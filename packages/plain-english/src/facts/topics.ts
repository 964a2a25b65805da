import { isKindOf, singular } from '../recall/kinds';
import { isRelative } from '../recall/persons';
import { baseForm, conceptOf, LIGHT } from '../recall/words';
import { nounSenses } from '../recall/wordnet';

/** Words by the attribute that they are about, in statements as well as in questions. A plus: one may have several. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  home:
    'live reside dwell settle base home house flat address town city village relocate stay street neighbourhood apartment country ' +
    'postcode lodge',
  employer:
    'work employer company firm employ hospital office workplace poach hire nurse teach surgery job clinic agency depot',
  job: 'job profession occupation living trade retrain career role qualify position work',
  school:
    'school nursery university college academy montessori primary kindergarten study year uni class pupil',
  'phone number': 'phone mobile cell number sim telephone landline',
  phone: 'phone handset smartphone',
  email: 'email mailbox inbox mail domain',
  name: 'name call surname rename nickname nick badge maiden',
  vehicle: 'car drive van lorry truck wagon motor vehicle pickup suv minivan rig',
  'two-wheeler': 'bike bicycle motorbike scooter ride moped',
  partner:
    'partner boyfriend girlfriend husband wife spouse fiance fiancee date couple together marry engage',
  boss: 'boss manager supervisor report answer foreman',
  doctor: 'doctor gp surgeon physician consultant',
  dentist: 'dentist tooth teeth dental',
  landlord: 'landlord landlady letting owner',
  teacher: 'teacher tutor instructor coach lesson trainer',
  gym: 'gym fitness workout membership',
  broadband: 'broadband internet provider wifi fibre isp',
  bank: 'bank account banking building',
  insurance: 'insurance insurer policy insure cover',
  energy: 'electricity gas energy supplier tariff',
  rent: 'rent',
  salary: 'salary wage earn income raise',
  rate: 'rate charge fee price',
  dose: 'dose mg tablet pill medication milligram medicine dosage prescribe',
  diet: 'diet vegetarian vegan pescatarian eat omnivore meat flexitarian carnivore keto fish plant-based',
  'allergy+': 'allergic allergy react intolerant intolerance',
  'instrument+': 'play instrument',
  'language+': 'language learn speak duolingo',
  'class+': 'class course lesson',
  'pet+': 'pet dog cat',
  'condition+': 'condition diagnose',
  drink: 'drink coffee tea order cup brew cuppa latte',
  'favourite+': 'prefer adore favourite favorite love top besotted',
  sport: 'exercise sport swim fit workout',
  commute: 'commute tram bus train cycle',
  club: 'club team support fan',
  shift: 'shift rota',
  seat: 'seat desk floor',
  hair: 'hair blonde dye brunette',
  app: 'app software program tool',
};

const CLASS_OF = new Map<string, Set<string>>();
const MANY = new Set<string>();
for (const [tagged, words] of Object.entries(ATTRIBUTES)) {
  const name = tagged.replace('+', '');
  if (tagged.endsWith('+')) MANY.add(name);
  for (const word of words.split(' ')) {
    const key = conceptOf(word);
    CLASS_OF.set(key, (CLASS_OF.get(key) ?? new Set()).add(name));
  }
}

/** Whether an attribute has a name of its own here, so that a new value surely is of the same thing as the one before. */
export function isNamed(attribute: string): boolean {
  return Object.hasOwn(ATTRIBUTES, attribute) || MANY.has(attribute);
}

/** Concepts that say what nearly every sentence says. */
const GENERAL = new Set(
  (
    'be have do get go come take make put keep use give want need say tell think know see look let new old one time day week ' +
    'month year thing people lot bit way still now just good great nice proud call start stop change update please name swap switch ' +
    'move replace back mine ours hers theirs monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning ' +
    'finally since last next first only even ever well both other another two three four big little really pretty anyway'
  )
    .split(' ')
    .map(conceptOf),
);

/** What a word is about: its concept, unless every sentence has it. */
export function topicOf(lower: string): string | undefined {
  if (LIGHT.has(lower) || !/^[\p{L}\p{N}][\p{L}\p{M}\p{N}'&.-]+$/u.test(lower)) return undefined;
  const concept = conceptOf(baseForm(lower));
  return GENERAL.has(concept) ? undefined : concept;
}

export function topicsOf(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const word of words) {
    const topic = topicOf(word);
    if (topic !== undefined) found.add(topic);
  }
  return found;
}

/** The attributes that words may be about. */
export function attributesOf(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const word of words) for (const name of CLASS_OF.get(conceptOf(baseForm(word))) ?? []) found.add(name);
  return found;
}

export function isSingle(attribute: string): boolean {
  return !MANY.has(attribute);
}

/** True for a noun that names a person by what they are to somebody: sister, neighbour, pupil. */
export function isPersonNoun(lower: string): boolean {
  return (
    (isRelative(lower) && !attributesOf([lower]).has('pet') && !isKindOf(lower, 'pet')) ||
    PERSONS.has(singular(lower)) ||
    /-in-law$/.test(lower)
  );
}

const PERSONS = new Set(
  (
    'mate friend pal buddy colleague coworker neighbour neighbor kid lad son daughter eldest youngest niece nephew cousin aunt uncle auntie ' +
    'sister brother mum mom dad nan gran grandad granddad mother father flatmate housemate roommate pupil student classmate twin lady ' +
    'guy bloke chap woman man girl boy friend ex wife husband hubby fiance fiancee bestie sis bro stepson stepdaughter partner brother-in-law'
  ).split(' '),
);

/** True where a word is known as a noun that is no name. */
export function isCommonNoun(lower: string): boolean {
  return nounSenses(singular(lower)).length > 0;
}

export function isA(value: string, kind: string): boolean {
  const head = value.toLowerCase().split(/\s+/).at(-1) ?? '';
  return head !== kind && isKindOf(head, kind);
}
