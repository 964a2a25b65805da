import { nounSenses, remembered, withKinds } from './wordnet';

/** How many of a word's senses count: a rare one misleads more often than it helps. */
const SENSES_OF_WORD = 3;
const SENSES_OF_KIND = 3;

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** What WordNet does not know, or knows by another name. */
const MORE: Readonly<Record<string, ReadonlySet<string>>> = {
  drink: list(
    'kombucha matcha chai boba smoothie ipa rooibos horchata water juice oolong mocha macchiato sencha prosecco spritz negroni ' +
      'redbull pepsi fanta sprite coke cola kefir lassi lemonade tonic ale stout lager shandy oat-milk bubbly decaf ristretto',
  ),
  food: list(
    'ramen tofu pho tempeh kimchi bibimbap gnocchi falafel hummus paella nachos dumplings gyoza pierogi udon vegan veggies poke ' +
      'burrito taco quiche risotto lasagne lasagna fries crisps mushrooms mushroom olives olive garlic coriander cilantro',
  ),
  sport: list(
    'yoga pilates swimming running cycling jogging hiking climbing bouldering parkour crossfit karate surfing rowing sailing ' +
      'futsal padel pickleball skiing snowboarding triathlon dancing fencing taekwondo jiu-jitsu kickboxing',
  ),
  hobby: list(
    'knitting crochet pottery chess gardening painting photography reading baking cooking birdwatching sewing drawing ' +
      'woodworking origami fishing hiking cycling gaming dancing yoga climbing running swimming juggling',
  ),
  pet: list(
    'cat dog hamster rabbit parrot goldfish budgie gecko tortoise turtle pony horse kitten puppy gerbil canary ferret',
  ),
  sibling: list('sister brother'),
  parent: list('mother father mum dad mom mama papa stepmother stepfather'),
  relative: list(
    'cousin aunt uncle niece nephew grandmother grandfather granny grandma grandpa sister brother',
  ),
  child: list('son daughter kid'),
  grandparent: list('grandmother grandfather granny grandma grandpa nan'),
  car: list(
    'volvo renault porsche skoda toyota honda ford bmw audi tesla fiat seat kia hyundai mazda volkswagen vw golf polo nissan ' +
      'peugeot citroen opel mercedes subaru lexus jeep mini dacia suzuki mitsubishi chevrolet jaguar saab',
  ),
  language: list(
    'python javascript typescript rust java kotlin swift golang ruby php haskell elixir farsi mandarin cantonese',
  ),
  colour: list(
    'red green blue yellow orange purple pink brown black white grey gray teal turquoise violet indigo maroon beige gold silver navy ' +
      'cyan magenta lilac lavender crimson scarlet olive khaki burgundy mauve aqua cream ivory mint coral peach',
  ),
  music: list(
    'jazz techno metal rock pop hip-hop rap folk house indie punk blues classical opera soul funk reggae k-pop',
  ),
  medicine: list(
    'omeprazole ibuprofen paracetamol sertraline metformin statin aspirin insulin melatonin antibiotics',
  ),
  flower: list('rose tulip lily peony orchid daisy sunflower dahlia'),
  day: list('monday tuesday wednesday thursday friday saturday sunday'),
  diet: list(
    'vegetarian vegan pescatarian keto paleo gluten-free low-carb kosher halal mediterranean omnivore',
  ),
  drug: list('omeprazole ibuprofen paracetamol sertraline metformin'),
};

/** Other names of kinds, each a noun of WordNet whose first senses mean it. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  drink: ['drink', 'beverage'],
  beverage: ['drink', 'beverage'],
  food: ['food', 'dish', 'foodstuff'],
  dish: ['dish', 'food'],
  meal: ['dish', 'food'],
  cuisine: ['dish', 'food', 'cuisine'],
  sport: ['sport', 'athletics', 'exercise'],
  exercise: ['sport', 'exercise'],
  instrument: ['musical_instrument'],
  animal: ['animal'],
  pet: ['pet', 'domestic_animal'],
  vehicle: ['vehicle'],
  colour: [],
  color: [],
  city: ['city', 'town'],
  town: ['city', 'town'],
  place: ['location', 'city', 'country'],
  country: ['country'],
  language: ['language', 'natural_language', 'programming_language'],
  music: ['music', 'music_genre'],
  genre: ['music_genre', 'genre'],
  medicine: ['medicine', 'medication', 'drug'],
  medication: ['medicine', 'medication', 'drug'],
  profession: ['worker', 'professional', 'skilled_worker'],
  dessert: ['dessert', 'sweet'],
  hobby: ['hobby', 'pastime', 'sport', 'game'],
  activity: ['sport', 'pastime', 'game'],
  season: ['season'],
  business: ['establishment', 'place_of_business', 'company'],
  nationality: ['inhabitant', 'european'],
  game: ['game'],
};

/** Kinds whose own list of further words another kind shares. */
const SHARES: Readonly<Record<string, string>> = {
  beverage: 'drink',
  color: 'colour',
  dish: 'food',
  meal: 'food',
  exercise: 'sport',
  activity: 'hobby',
  animal: 'pet',
  vehicle: 'car',
  medication: 'medicine',
  'programming language': 'language',
  tablet: 'medicine',
};

/** Tea is also a meal, and orange also a fruit: what is a drink by name is no food where one asks for food. */
const OTHERWISE: Readonly<Record<string, string>> = { food: 'drink', dish: 'drink', meal: 'drink' };
const ALSO_FOOD = new Set([
  'chocolate',
  'soup',
  'milk',
  'smoothie',
  'yoghurt',
  'yogurt',
  'cream',
  'mint',
  'ice',
]);

/** True where a noun names a kind of what another noun names: tea is a drink. In the singular or plural, in lower case. */
export function isKindOf(noun: string, kind: string): boolean {
  return remembered(answers, `${noun}|${kind}`, () => judge(noun, kind));
}

const answers = new Map<string, boolean>();

function judge(noun: string, kind: string): boolean {
  const name = singular(kind);
  const word = singular(noun);
  if (word === name) return true;
  const more = MORE[SHARES[name] ?? name];
  if (more && (more.has(noun) || more.has(word))) return true;
  const wanted = new Set(
    (CALLED[name] ?? [name]).flatMap((called) => nounSenses(called).slice(0, SENSES_OF_KIND)),
  );
  if (wanted.size === 0) return false;
  const other = OTHERWISE[name];
  if (other !== undefined && isKindOf(word, other) && !ALSO_FOOD.has(word)) return false;
  return sensesOf(noun, word)
    .slice(0, SENSES_OF_WORD)
    .some((sense) => [...withKinds(sense)].some((parent) => wanted.has(parent)));
}

/** True for a word that WordNet has as a noun. */
export function isKnownKind(kind: string): boolean {
  return kind in CALLED || kind in MORE || nounSenses(singular(kind)).length > 0;
}

function sensesOf(noun: string, word: string): readonly number[] {
  const found = nounSenses(word);
  return found.length > 0 ? found : nounSenses(noun);
}

const IRREGULAR: Readonly<Record<string, string>> = {
  children: 'child',
  people: 'person',
  men: 'man',
  women: 'woman',
  wives: 'wife',
  mice: 'mouse',
  geese: 'goose',
  feet: 'foot',
  teeth: 'tooth',
  knives: 'knife',
  shelves: 'shelf',
  movies: 'movie',
  cookies: 'cookie',
  houses: 'house',
  shoes: 'shoe',
};

/** The singular of an English noun by its ending. */
export function singular(noun: string): string {
  const known = Object.hasOwn(IRREGULAR, noun) ? IRREGULAR[noun] : undefined;
  if (known !== undefined) return known;
  if (noun.length < 4 || !noun.endsWith('s') || /(?:ss|us|is)$/.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /(?:sh|ch|x|z|ss|o)es$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1);
}

/** Words of a kind to look for where memory is searched by words, the most common first. */
export function examplesOf(kind: string): readonly string[] {
  const name = singular(kind);
  return [...(SEARCHED[SHARES[name] ?? name]?.split(' ') ?? []), ...(MORE[SHARES[name] ?? name] ?? [])];
}

const SEARCHED: Readonly<Record<string, string>> = {
  drink: 'tea coffee beer wine juice water milk espresso latte cocoa whisky cocktail lemonade cider',
  food: 'pizza pasta sushi curry cheese bread rice soup salad chicken fish chocolate meat vegetarian vegan',
  sport: 'football tennis swimming running cycling basketball yoga badminton hockey golf climbing gym',
  instrument: 'guitar piano violin drums cello flute trumpet bass saxophone ukulele',
  colour: 'blue green red yellow purple black white orange pink teal grey',
  color: 'blue green red yellow purple black white orange pink teal grey',
  language: 'english german french spanish italian portuguese polish chinese japanese arabic',
  fruit: 'apple banana mango orange strawberry grape pear cherry peach melon',
  dessert: 'cake ice-cream chocolate tiramisu pie pudding cheesecake',
};
