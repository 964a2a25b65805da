/**
 * Groups of words that play the same part in a request. A sentence about a violin lesson is then read as one
 * about any appointment, which is what lets a model of a few thousand sentences understand others.
 */
export const WORD_CLASSES = {
  kin: 'sister brother mum mother mama dad father papa wife husband fiancé fiance fiancée partner girlfriend boyfriend son daughter kid child children baby grandma grandmother granny gran grandpa grandfather grandad granddad aunt uncle cousin nephew niece friend mate buddy roommate flatmate housemate colleague coworker boss manager supervisor dog cat pet puppy kitten parrot hamster rabbit horse neighbour neighbor landlord landlady family parents twins twin teammate trainer coach in-laws grandson granddaughter stepmother stepfather godmother godson bestie fella missus spouse sibling tortoise turtle',
  own: 'name birthday anniversary age address phone salary rent budget appointment allergy hobby job weight height password pin passport deadline plan goal flight hotel booking reservation plate insurance account savings income wage pay order ticket meeting diet dentist medication medicine pill dose shift schedule timetable roster preference routine mortgage loan debt invoice bill subscription membership locker code username email number timezone hometown birthplace birth town city street flat apartment size measurements measurement workout score mileage odometer quota target limit allowance pension profession surname nickname blood prescription itinerary destination vacation holiday trip course class exam lesson interview car bike van payday turnover rate fee deposit quote estimate horoscope star sign wallet contract commute surgery operation expenses costs spending turnover stash collection',
  calc: 'add plus sum total subtract minus multiply multiplied times divide divided average mean median percent percentage per cent double triple quadruple halve half quarter third sqrt root squared cubed compute calculate calculation math maths arithmetic convert conversion difference remainder modulo factorial logarithm sine cosine power exponent split round rounded gross net vat discount interest tally deduct equals equal product ratio area volume perimeter circumference hypotenuse fraction decimal multiple divisible divisor altogether combined twice lcm gcd work prorate increase decrease reduced markup',
  data: 'sort filter reverse encode decode hash parse validate extract format dedupe duplicates uppercase lowercase capitalise capitalize capitals generate roll random shuffle regex transform merge flatten group deduplicate unique alphabetise alphabetize alphabetical alphabetically ascending descending order base64 sha256 sha1 md5 uuid hex hexadecimal binary octal roman rot13 morse json xml yaml csv array object list string element elements column row rows key keys field fields value values schema escape unescape minify prettify trim replace truncate concatenate join diff checksum slug camelcase snake_case html markdown palindrome anagram count letters vowels characters pick lowest highest largest biggest smallest max min maximum minimum longest shortest cheapest b64 length backwards timestamp unix epoch urlencode',
  net: 'fetch request ping curl download upload endpoint url api server http https status header headers webhook query link website site host port response call post patch head html scrape proxy dns domain reachable respond responds online crawl submit',
  file: 'file files folder directory document spreadsheet log logs path txt disk filename filesystem subfolder workbook attachment',
  weather:
    'weather rain raining rainy snow snowing forecast temperature wind windy humid humidity sunny cloudy overcast fog foggy storm thunderstorm degrees umbrella cold warm hot freezing chilly celsius fahrenheit wet dry drizzle hail sunset sunrise uv pollen air frost icy heat thermometer gusts precipitation muggy outside outdoors warmer colder hotter coat jacket raincoat sunscreen sunglasses',
  now: 'now today currently tonight tomorrow present moment minute live latest weekend afternoon this',
  general: 'usually typically normally generally general typical usual average rule',
  past: 'yesterday earlier before previously previous last ago recently once already',
  talk: 'told said mentioned gave sent shared discussed talked spoke spoken chatted agreed decided settled dictated listed described introduced reported wrote typed posted explained recommended promised asked picked chose chosen named noted stored saved written planned confided logged recorded confirmed specified complained pasted given noted rambled ranted bragged quoted',
  recall:
    'remember recall remind recap forgot forget forgotten memory memories memorise memorize mind bear note record save store keep hold log jot retain refresh summarise summarize',
  unit: 'km kilometre kilometer kilometres kilometers mile miles metre metres meter meters m cm mm inch inches foot feet ft yard yards kg kilo kilos kilogram gram grams g mg ounce ounces oz pound pounds lb lbs stone tonne ton litre litres liter liters l ml gallon gallons pint pints cup cups tablespoon tablespoons teaspoon hour hours minutes seconds second week weeks month months day days year years decade kmh mph knots kwh kilowatt watt watts mb gb kb bytes megabytes gigabytes bits acre acres hectare hectares celsius fahrenheit kelvin radians calories kcal joules psi bar',
  currency:
    'dollar dollars usd euro euros eur gbp yen jpy franc francs chf peso pesos rupee rupees inr krona kronor sek zloty bitcoin btc bucks quid cents pence sterling cad aud lira rand yuan won exchange currency',
  docs: 'documentation handbook manual policy guide guidelines article articles wiki faq knowledge-base runbook readme changelog policies procedure intranet confluence whitepaper spec specification terms onboarding section chapter',
  explain:
    'explain define definition meaning mean means describe cause causes caused reason purpose history inventor origin invented discovered wrote painted built founded composed capital population president difference between theory principle concept process function summary plot symptoms species author inventor happens formed called works work technically scientific scientifically stands distance called famous explanation overview',
  greet:
    'hi hello hey heya hiya yo morning evening howdy greetings hallo ciao bye goodbye cya later welcome goodnight night sup cheerio farewell',
  thanks: 'thanks thank cheers grateful appreciate appreciated ta merci congratulations congrats',
  laugh:
    'lol haha hahaha lmao rofl hehe omg wow yay ugh phew hmm oh ah aw wtf yikes oops gosh damn geez woah whoa meh yep yeah nah nope ok okay alright cool nice great perfect awesome brilliant lovely wonderful sweet neat huh',
  feel: 'tired sad happy bored lonely nervous scared excited stressed angry annoyed exhausted proud upset anxious worried sick homesick hungry thirsty sleepy knackered jealous embarrassed glad relieved frustrated furious fuming grumpy overwhelmed love hate miss feel feeling mood cry cried crying panic terrified depressed melting drained nostalgic gutted thrilled delighted heartbroken crushed rough awful terrible horrible finally celebrate celebrating crazy ridiculous adorable yawning',
  create:
    'joke jokes poem pun puns story tale song lyrics slogan tagline haiku riddle limerick motto rhyme verse wish toast caption nickname compliment pep pretend roleplay game rap sonnet blessing excuse pirate anecdote chat',
  opinion:
    'think opinion favourite prefer believe agree thoughts suggest recommend advice ideas idea fun should better reckon honestly honest yay',
  place:
    'berlin paris london madrid rome oslo tokyo nairobi lisbon vienna prague athens dublin helsinki stockholm copenhagen amsterdam brussels geneva zurich munich hamburg milan naples venice barcelona seville porto warsaw krakow budapest bucharest sofia istanbul ankara cairo lagos accra dakar tunis algiers casablanca mumbai delhi kolkata karachi dhaka bangkok hanoi singapore jakarta manila seoul beijing shanghai osaka kyoto sapporo sydney melbourne perth brisbane auckland wellington toronto montreal vancouver ottawa chicago boston denver seattle miami houston dallas phoenix portland austin philadelphia detroit orlando angeles francisco vegas york bogota lima quito santiago buenos aires montevideo caracas havana mexico rio brasilia dubai doha riyadh tehran baghdad jerusalem beirut amman kyiv minsk moscow riga vilnius tallinn reykjavik bergen lyon nice marseille bordeaux toulouse cologne frankfurt stuttgart dresden leipzig graz salzburg bern basel turin florence bologna edinburgh glasgow manchester liverpool leeds bristol cardiff belfast cork johannesburg nairobi kampala addis cusco anchorage honolulu',
  country:
    'germany france spain italy portugal england britain scotland ireland wales norway sweden finland denmark iceland poland russia ukraine greece turkey egypt nigeria kenya ethiopia morocco india pakistan china japan korea vietnam thailand indonesia philippines australia zealand canada america usa brazil argentina chile peru colombia bolivia cuba netherlands belgium switzerland austria hungary romania croatia serbia bulgaria iran iraq israel syria africa europe asia antarctica nepal mongolia madagascar tanzania ghana malaysia estonia latvia lithuania amazon alps himalayas sahara pacific atlantic mediterranean',
  body: 'liver stomach appendix ear eye heart brain skin kidney lung bone muscle blood tooth teeth nose tongue throat skeleton vein artery nerve spine spleen pancreas gut intestine hormone immune vitamin protein cholesterol fever flu virus bacteria vaccine disease infection allergies cancer diabetes pregnancy sleep dream hiccups yawn goosebumps headache migraine',
  science:
    'earth moon sun planet star galaxy universe space gravity light sound energy electricity electron atom molecule cell dna gene evolution dinosaur fossil volcano earthquake glacier ocean sea tide river mountain desert forest climate atmosphere oxygen carbon water ice metal iron gold copper glass wood stone magnet battery engine turbine laser photosynthesis chemistry physics biology species mammal insect bee spider whale shark elephant penguin owl bat frog snake butterfly ant bird tree leaf leaves flower plant fungus mushroom bacteria comet eclipse mars venus jupiter saturn rainbow lightning thunder tornado hurricane',
  history:
    'war empire revolution king queen emperor pharaoh century ancient medieval roman rome viking greek egyptian president parliament democracy constitution treaty renaissance colony slavery independence battle dynasty pyramid castle cathedral philosopher explorer painter composer novelist poet scientist religion bible myth legend tradition festival',
  tech: 'computer internet wifi bluetooth software algorithm database blockchain encryption browser protocol processor quantum compiler cookie cache kubernetes docker linux python javascript typescript git tcp udp https ssl vpn firewall cpu gpu ram ssd satellite radar gps microwave fridge camera robot',
  food: 'food bread toast butter cheese milk cream yoghurt yogurt egg eggs bacon sausage ham beef pork lamb chicken turkey duck fish salmon tuna cod prawn prawns shrimp shellfish crab lobster squid rice pasta noodle noodles ramen lasagne pizza burger sandwich soup stew curry salad chips fries crisps potato spud spuds tomato onion garlic leek carrot celery cucumber pepper courgette zucchini aubergine eggplant broccoli cabbage sprouts kale spinach lettuce beetroot mushroom pea peas bean beans lentil lentils chickpea chickpeas tofu corn olive olives avocado apple pear banana orange lemon lime grape strawberry blueberry raspberry cherry peach plum mango pineapple melon coconut fig date raisin nut peanut almond walnut cashew hazelnut chocolate cake biscuit cookie scone pancake waffle muffin doughnut pie pudding custard jam honey sugar salt flour yeast sourdough dough oil vinegar mustard ketchup mayonnaise sauce spice cinnamon ginger chilli coriander cilantro basil parsley mint thyme rosemary cumin turmeric coffee tea decaf espresso latte cocoa juice cola beer wine whisky gin vodka negroni cocktail cider booze meat veg vegetable fruit cereal porridge oats gluten lactose dairy soy sushi taco kebab sweets candy crumble stuffing gravy broth leftovers snack breakfast lunch dinner supper brunch',
  animal:
    'hedgehog pigeon goose geese duckling seagull crow magpie robin parrot eagle hawk swan hen rooster cow bull sheep ewe goat pig donkey pony mouse mice rat squirrel deer fox wolf bear lion tiger leopard giraffe zebra hippo rhino monkey gorilla kangaroo koala panda otter seal dolphin octopus jellyfish crab snail slug worm wasp fly flies mosquito beetle moth butterfly lizard crocodile dinosaur toad salmon trout goldfish animal bug creature',
  health:
    'ibuprofen paracetamol aspirin sertraline penicillin insulin metformin antihistamine antibiotic statin melatonin omeprazole antidepressant inhaler tablet tablets capsule drug vaccine asthma eczema flu coeliac celiac diabetic anaemia arthritis epilepsy adhd dyslexia autism coma stroke vertigo heartburn tonsillitis pneumonia bronchitis covid sprain fracture concussion rash hives blister swelling pulse pressure bmi iron vitamin vitamins calcium zinc pregnant vegetarian vegan pescatarian intolerant allergic diagnosed surgery knee hip ankle wrist shoulder elbow toe thumb lefty handed',
  firstname:
    'anna anne ann ana ben bella bruno carla carlos charlie chloe chris claire clara daniel dave david declan diego elena elias ella emily emma eric erik eva farid fatima fergal finn frank freya george greta hamish hannah harry hassan helen henry hugo ian ibrahim ida ines ingrid isla ivan ivo jack jake james jamie jan jane jens jess joe john jonas josef josh julia kai karim kate katya kevin kim kwame lara lars laura lena leo liam lila lily linda lisa lorenzo louise lucas lucy luis luka maeve magda marco marek maria marie mark marta martin mary matt maya mei mia michael miguel mike mila mina moritz nadia nell nick nils nina noah noor nora olga oliver omar oscar otto pablo paul pedro peter petra phil pia priya rachel ravi renate rob robert rosa ruben ruth ryan sam samir sara sarah sean simon sofia sophie stefan steve sven tara ted tess theo thomas tim tom tomas toni uma vera victor viktor wanda wei will yara yasmin yusuf zoe mr mrs ms miss sir',
  profession:
    'nurse doctor surgeon vet plumber electrician carpenter joiner builder teacher tutor lecturer professor student driver pilot sailor soldier farmer gardener beekeeper baker butcher chef cook waiter waitress barista bartender hairdresser barber lawyer solicitor judge accountant banker engineer developer programmer designer architect translator writer journalist photographer musician singer actor librarian postman cleaner receptionist secretary salesman cashier mechanic technician therapist physio physiotherapist midwife optician pharmacist paramedic firefighter vicar priest nanny retired freelance freelancer',
  hobby:
    'fencing pottery birdwatching knitting crochet sewing chess salsa rowing choir yoga pilates climbing judo karate boxing swimming cycling running jogging hiking skiing surfing sailing tennis squash badminton golf football netball rugby cricket hockey basketball volleyball guitar violin piano cello drums trumpet flute ukulele harp painting drawing photography gardening baking cooking fishing dancing ballet theatre gaming puzzles podcast podcasts novel vinyl camping marathon gym rehearsal practice training tournament match league stamps',
  home: 'kitchen bathroom bedroom hallway hall lounge garage attic loft cellar garden shed balcony fridge freezer oven boiler radiator kettle toaster dishwasher hoover vacuum sofa couch chair table desk bed mattress wardrobe drawer cupboard shelf curtain curtains carpet rug lamp bulb door gate window roof wall paint tap sink toilet bath shower bin bins key keys drill hammer ladder lawn fence sheets towel washing laundry sock socks shirt dress shoe shoes boots jumper trousers jeans hat glove gloves bag suitcase tent phone laptop printer tyre tyres skoda motor caravan boat',
  month:
    'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter christmas easter',
  wh: 'what which who whom whose when where why how',
} as const;

export type WordClass = keyof typeof WORD_CLASSES;

/** Words that carry the grammar of a request; they stand for themselves in the patterns of classes. */
export const FUNCTION_WORDS = new Set(
  (
    'i you we me my your our us mine yours it its that this these those the a an there he she they his her their him them ' +
    "is are am was were be been do does did done have has had will would can could may might shall must not 's " +
    'to of in on at for from with by about into than as if or and but so then again too also else other another same more ' +
    'what which who whose when where why how much many long far old often any some all both each every no yes please ' +
    'tell give show get find check look know want need like let make take use put go come set say up out off over back ' +
    'one two three four five six seven eight nine ten first second third twelve hundred thousand twenty fifty thirty ' +
    'just only still ever never always really actually sorry until since after till left ' +
    '? ! . , : ; + - * / = % ( ) " $ € £ ° ^ > < & @ # | ~'
  ).split(' '),
);

const CLASS_OF = new Map<string, WordClass>();
for (const [name, words] of Object.entries(WORD_CLASSES) as [WordClass, string][]) {
  // The first class that lists a word has it, so the order above says which part is the stronger one.
  for (const word of words.split(' ')) if (!CLASS_OF.has(word)) CLASS_OF.set(word, name);
}

/** The class of a word in any regular form, or undefined. Pure. */
export function classOf(word: string): WordClass | undefined {
  const exact = CLASS_OF.get(word);
  if (exact !== undefined || word.length < 4) return exact;
  if (word.endsWith('ies')) return CLASS_OF.get(`${word.slice(0, -3)}y`);
  if (word.endsWith('ing')) return CLASS_OF.get(word.slice(0, -3)) ?? CLASS_OF.get(`${word.slice(0, -3)}e`);
  if (word.endsWith('ed')) return CLASS_OF.get(word.slice(0, -2)) ?? CLASS_OF.get(word.slice(0, -1));
  if (word.endsWith('es')) return CLASS_OF.get(word.slice(0, -1)) ?? CLASS_OF.get(word.slice(0, -2));
  return word.endsWith('s') ? CLASS_OF.get(word.slice(0, -1)) : undefined;
}
