import { nounSenses, remembered, withKinds } from './wordnet';

/** How many of a word's senses count: a rare one misleads more often than it helps. */
const SENSES_OF_WORD = 3;
const SENSES_OF_KIND = 3;

/** Entries of the form `kind: words`, one a line. */
function table(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [key = '', words = ''] = line.trim().split(': ');
      return [key, words.split(' ').filter((word) => word !== '')];
    }),
  );
}

/** What WordNet does not know, or knows by another name. The most common come first. */
const MORE = table(`
drink: tea coffee beer wine juice water milk espresso latte kombucha matcha chai boba smoothie ipa rooibos oolong mocha macchiato prosecco spritz pepsi coke cola kefir lassi tonic ale stout lager oat-milk decaf ristretto
food: pizza pasta sushi curry cheese bread rice soup salad ramen tofu pho kimchi gnocchi falafel hummus paella nachos dumplings gyoza pierogi udon vegan veggies burrito taco quiche risotto lasagne fries crisps mushroom olive garlic coriander
sport: football tennis swimming running cycling basketball yoga pilates jogging hiking climbing bouldering karate surfing rowing sailing padel skiing dancing fencing gym
hobby: knitting crochet pottery chess gardening painting photography reading baking cooking sewing drawing woodworking fishing hiking cycling gaming dancing yoga climbing running swimming
pet: cat dog hamster rabbit parrot goldfish budgie gecko tortoise turtle horse kitten puppy canary ferret
sibling: sister brother
parent: mother father mum dad mom mama papa stepmother stepfather
relative: cousin aunt uncle niece nephew grandmother grandfather granny grandma grandpa sister brother
child: son daughter kid
grandparent: grandmother grandfather granny grandma grandpa nan
instrument: guitar piano violin drums cello flute trumpet
car: volvo renault porsche skoda toyota honda ford bmw audi tesla fiat kia mazda volkswagen vw golf polo nissan peugeot citroen opel mercedes subaru jeep mini dacia saab
language: english german french spanish italian python javascript typescript rust java kotlin swift golang ruby php haskell farsi mandarin cantonese
colour: blue green red yellow purple black white orange pink teal grey gray brown turquoise violet maroon beige gold silver navy cyan magenta lilac lavender crimson olive khaki burgundy mauve cream mint coral
music: jazz techno metal rock pop hip-hop rap folk house indie punk blues classical opera soul funk reggae
medicine: omeprazole ibuprofen paracetamol sertraline metformin statin aspirin insulin antibiotics
flower: rose tulip lily peony orchid daisy sunflower dahlia
day: monday tuesday wednesday thursday friday saturday sunday
diet: vegetarian vegan pescatarian keto paleo gluten-free low-carb kosher halal omnivore
`);

/** Other names of kinds, each a noun of WordNet whose first senses mean it. */
const CALLED = table(`
drink: drink beverage
beverage: drink beverage
food: food dish foodstuff
dish: dish food
meal: dish food
cuisine: dish food cuisine
sport: sport athletics exercise
exercise: sport exercise
instrument: musical_instrument
animal: animal
pet: pet domestic_animal
vehicle: vehicle
colour:
color:
city: city town
town: city town
place: location city country
country: country
language: language natural_language programming_language
music: music music_genre
genre: music_genre genre
medicine: medicine medication drug
medication: medicine medication drug
profession: worker professional skilled_worker
dessert: dessert sweet
hobby: hobby pastime sport game
activity: sport pastime game
season: season
business: establishment place_of_business company
nationality: inhabitant european
game: game
`);

/** Kinds whose list of further words another kind shares. */
const SHARES = table(`
beverage: drink
color: colour
dish: food
meal: food
exercise: sport
activity: hobby
animal: pet
vehicle: car
medication: medicine
drug: medicine
tablet: medicine
`);

/** Tea is also a meal: what is a drink by name is no food where one asks for food. */
const FOODS = new Set(['food', 'dish', 'meal']);
const ALSO_FOOD = new Set('chocolate soup milk smoothie yoghurt yogurt cream mint ice'.split(' '));

/** True where a noun names a kind of what another noun names: tea is a drink. In the singular or plural, in lower case. */
export function isKindOf(noun: string, kind: string): boolean {
  return remembered(answers, `${noun}|${kind}`, () => judge(noun, kind));
}

/** The same by the first sense of both nouns alone: a paediatrician is a doctor. */
export function isMainlyKindOf(noun: string, kind: string): boolean {
  const [sense] = nounSenses(singular(noun));
  const [wanted] = nounSenses(singular(kind));
  return sense !== undefined && wanted !== undefined && withKinds(sense).has(wanted);
}

const answers = new Map<string, boolean>();

function judge(noun: string, kind: string): boolean {
  const name = singular(kind);
  const word = singular(noun);
  if (word === name) return true;
  const more = moreOf(name);
  if (more.includes(noun) || more.includes(word)) return true;
  const wanted = new Set(
    (CALLED.get(name) ?? [name]).flatMap((called) => nounSenses(called).slice(0, SENSES_OF_KIND)),
  );
  if (wanted.size === 0) return false;
  if (FOODS.has(name) && isKindOf(word, 'drink') && !ALSO_FOOD.has(word)) return false;
  return sensesOf(noun, word)
    .slice(0, SENSES_OF_WORD)
    .some((sense) => [...withKinds(sense)].some((parent) => wanted.has(parent)));
}

/** True for a kind whose members are known by name, so that a name that is not among them is none. */
export function isClosedKind(kind: string): boolean {
  const name = singular(kind);
  return CALLED.has(name) || MORE.has(name);
}

function sensesOf(noun: string, word: string): readonly number[] {
  const found = nounSenses(word);
  return found.length > 0 ? found : nounSenses(noun);
}

const IRREGULAR = table(`
children: child
people: person
men: man
women: woman
wives: wife
knives: knife
shelves: shelf
movies: movie
cookies: cookie
houses: house
shoes: shoe
mice: mouse
feet: foot
teeth: tooth
`);

/** The singular of an English noun by its ending. */
export function singular(noun: string): string {
  const [known] = IRREGULAR.get(noun) ?? [];
  if (known !== undefined) return known;
  if (noun.length < 4 || !noun.endsWith('s') || /(?:ss|us|is)$/.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /(?:sh|ch|x|z|ss|o)es$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1);
}

/** Words of a kind to look for where memory is searched by words, the most common first. */
export function examplesOf(kind: string): readonly string[] {
  return moreOf(singular(kind));
}

function moreOf(name: string): readonly string[] {
  return MORE.get(SHARES.get(name)?.[0] ?? name) ?? [];
}
