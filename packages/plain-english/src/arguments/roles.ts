import type { ToolParameter } from '../types';
import { stem, wordsOf } from '../text/stem';

/** What kind of thing a parameter holds, as its name and description tell. */
export type Role =
  | 'email'
  | 'url'
  | 'file'
  | 'date'
  | 'time'
  | 'id'
  | 'phone'
  | 'code'
  | 'text'
  | 'title'
  | 'topic'
  | 'person'
  | 'creator'
  | 'place'
  | 'origin'
  | 'destination'
  | 'duration'
  | 'thing';

const BY_NAME: readonly (readonly [Role, string])[] = [
  ['email', 'email mail cc bcc e-mail'],
  ['url', 'url uri link website webpage address_url href'],
  ['phone', 'phone telephone mobile'],
  ['file', 'file filename path image photo document attachment'],
  ['date', 'date day deadline due birthday checkin checkout'],
  ['time', 'time hour clock'],
  ['id', 'id identifier uuid number_id sku isbn tracking reference order_number code_id key'],
  ['code', 'symbol ticker code iata currency'],
  [
    'text',
    'text body message content note description comment details phrase sentence prompt task reminder reason words what',
  ],
  ['title', 'title name subject headline label heading summary event_name'],
  ['topic', 'query keyword topic term search question subject_matter about'],
  ['origin', 'from origin source departure start'],
  ['destination', 'to destination target arrival channel'],
  [
    'person',
    'person assignee recipient customer user contact guest employee author artist owner client attendee patient name host ' +
      'student pupil child learner teacher member driver passenger tenant payee beneficiary visitor resident player candidate ' +
      'animal pet horse dog cat colleague technician mechanic doctor applicant borrower reader tutor surname',
  ],
  ['creator', 'artist author singer band writer composer director'],
  ['place', 'city location place country region town room venue address street airport station area state'],
  ['duration', 'duration length'],
];

const sets = BY_NAME.map(([role, words]) => [role, new Set(words.split(' '))] as const);

/** The kinds that a parameter may be of; its name says more than its description. */
export function rolesOf(name: string, { description }: ToolParameter): ReadonlySet<Role> {
  const roles = new Set<Role>();
  const words = wordsOf(name);
  for (const [role, set] of sets) if (words.some((word) => set.has(word))) roles.add(role);
  const described = wordsOf(description);
  if (/\be-?mail address/i.test(description)) {
    roles.clear();
    roles.add('email');
  }
  for (const [role, set] of sets) {
    const counts = ['person', 'place', 'date', 'time', 'id', 'file', 'url', 'code', 'phone'].includes(role);
    if (counts && described.some((word) => set.has(word) && word !== 'name')) roles.add(role);
  }
  if (
    words.includes('name') &&
    described.some((word) => ['person', 'customer', 'guest', 'user', 'contact'].includes(word))
  ) {
    roles.add('person');
  }
  if (roles.size === 0) roles.add('thing');
  return roles;
}

const PREPOSITIONS: Readonly<Record<Role, string>> = {
  email: 'to',
  url: 'at from of to',
  file: 'in of from',
  date: 'on for by',
  time: 'at',
  id: 'for of',
  phone: 'to at',
  code: 'of for',
  text: 'saying that:',
  title: 'called titled named as for',
  topic: 'for about on of regarding',
  person: 'for of to by with from',
  creator: 'by from of',
  place: 'in at for near of to from',
  origin: 'from',
  destination: 'to into in as',
  duration: 'for',
  thing: 'for of in on about with at to from by',
};

/** How well a preposition leads to a parameter: 0 not at all, to 1. */
export function prepositionFit(roles: ReadonlySet<Role>, preposition: string): number {
  let best = 0;
  for (const role of roles) {
    const at = PREPOSITIONS[role].split(' ').indexOf(preposition);
    if (at !== -1) best = Math.max(best, 1 - at * 0.1 - (role === 'thing' ? 0.2 : 0));
  }
  return best;
}

const LABELS: readonly string[] = [
  'body message text content msg contents',
  'to recipient',
  'title titled called named name headline',
  'subject about regarding re',
  'label labelled labeled name named called',
  'assignee assigned assign owner',
  'query search keyword',
  'limit maximum max top',
  'quantity amount count number',
  'description details saying',
  'note saying',
  'message saying says',
  'text saying says',
  'body saying says',
  'people guests persons guest person party',
  'time at',
  'cc copy copying',
  'priority importance urgency',
  'status state',
];

/** Words that announce a parameter's value, besides its own name. */
export function labelsOf(name: string, parameter: ToolParameter): ReadonlySet<string> {
  const own = wordsOf(name);
  const last = own.at(-1) ?? name;
  const labels = new Set<string>([last]);
  for (const group of LABELS) {
    const [first, ...others] = group.split(' ');
    if (first === last && parameter.type !== 'boolean') for (const other of others) labels.add(other);
  }
  return labels;
}

/** Stems that tell a parameter's numbers, such as its unit. */
export function unitStems(name: string, { description }: ToolParameter): ReadonlySet<string> {
  const units = new Set(
    [...wordsOf(name), ...wordsOf(description)].filter((word) => word.length > 1).map(stem),
  );
  const synonyms: readonly string[] = [
    'people persons guests pax diners adults seats',
    'pixels px',
    'minutes min mins minute',
    'hours hrs h hour',
    'days day',
    'seconds secs sec s',
    'quantity items copies units pieces',
    'nights night',
    'percent percentage %',
    'kilograms kg kilos',
    'passengers people adults',
    'attendees people guests',
  ];
  for (const group of synonyms) {
    const stems = group.split(' ').map(stem);
    if (stems.some((one) => units.has(one))) for (const one of stems) units.add(one);
  }
  return units;
}
