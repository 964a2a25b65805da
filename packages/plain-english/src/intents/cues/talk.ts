import { hasClass, pattern, type Cue } from './cue';

/** Cues of casual talk and of questions about the world. */
export const TALK_CUES: readonly Cue[] = [
  hasClass('greeting', 'greets or takes leave', 'greet'),
  hasClass('thanks', 'thanks me', 'thanks'),
  hasClass('exclamation', 'is an exclamation', 'laugh'),
  hasClass('feeling', 'speaks of feelings', 'feel'),
  hasClass('creative', 'asks for something playful or creative', 'create'),
  hasClass('opinion-word', 'asks for an opinion or an idea', 'opinion'),
  pattern(
    'about-you',
    'is about me',
    / (?:are|do|did|would|can|could|were|will|have) you (?!know|remember|recall|still|tell|check|give|show|get|find|compute|calculate|convert|please|read|fetch|look|explain|add|list)| you (?:are|were|look|seem|sound) | your (?:name|favourite|opinion|view|take|creator|maker|feelings|day|job|purpose|style|humble|side|life|age) | (?:about|as for) you | yourself /,
  ),
  pattern(
    'opinion',
    'asks for an opinion',
    / (?:what do you think|do you (?:think|like|believe|agree|reckon|prefer)|should i|your (?:take|opinion|thoughts|view)|thoughts \?|if you were|would you) /,
  ),
  {
    id: 'statement',
    says: 'tells something rather than asks',
    test: ({ joined }) =>
      !joined.includes('?') &&
      !/ (?:what|which|who|where|when|why|how|please|tell|give|show|check|find|explain|can|could|would|is|are|do|does|did) /.test(
        joined,
      ),
  },
  pattern('shout', 'is an exclamation', / ! /),
  pattern('question-mark', 'is a question', / \? /),
  pattern('i-start', 'starts with you', /^ (?:i|we|my|me) /),
  pattern(
    'i-am',
    'speaks of how you are',
    / i (?:am|feel|was|just|hate|love|miss|can not|had|could|got|won|lost|need|want|did|ran) /,
  ),
  pattern(
    'today-diary',
    'tells of your day',
    /^ .{0,60}(?:today|this morning|tonight|all day|finally|all afternoon|all night|whole day|this week)/,
  ),
  pattern(
    'wh-start',
    'starts with a question word',
    /^ (?:and |so |but )?(?:what|which|who|where|when|why|how) /,
  ),
  pattern('why', 'asks for a reason', / (?:why|how come|reason|causes?|cause of) /),
  pattern(
    'how-does',
    'asks how something works',
    / how (?:do|does|did|is|are|can|was|were|come)(?: \w+)?(?: \w+)? /,
  ),
  pattern(
    'what-is',
    'asks what something is',
    / (?:what|who) (?:is|are|was|were|does|do|did|causes|makes|made) (?!my|your|the (?:weather|time|temperature|result|sum|total|date)|today|i |you |we )/,
  ),
  hasClass('explain', 'asks for an explanation or a fact', 'explain'),
  pattern(
    'explain-verb',
    'asks for an explanation',
    / (?:explain|define|definition|meaning|describe|difference between|what does .{1,60} mean|mean|stands? for|understand|tell me about|meant by|history of|purpose of|principle|theory) /,
  ),
  hasClass('place', 'names a city', 'place'),
  hasClass('country', 'names a country or a region', 'country'),
  hasClass('science', 'speaks of nature or science', 'science'),
  hasClass('history', 'speaks of history or culture', 'history'),
  hasClass('tech', 'speaks of technology', 'tech'),
  hasClass('body-word', 'speaks of the body', 'body'),
  hasClass('food', 'speaks of food', 'food'),
  hasClass('animal', 'speaks of animals', 'animal'),
  hasClass('health', 'speaks of health', 'health'),
  hasClass('first-name', 'names a person', 'firstname'),
  hasClass('profession', 'names a profession', 'profession'),
  hasClass('hobby', 'names a pastime', 'hobby'),
  hasClass('home-word', 'speaks of things at home', 'home'),
  hasClass('month', 'names a time of the year or the week', 'month'),
  hasClass('docs', 'asks for what a document says', 'docs'),
  pattern(
    'our-docs',
    'asks for what our documents say',
    / (?:documentation|handbook|knowledge base|manual|policy|wiki|stored (?:documents|articles)|guidelines|runbook|readme) /,
  ),
  hasClass('in-general', 'asks in general', 'general'),
  pattern(
    'generic',
    'asks in general',
    / (?:people|humans?|someone|somebody|one|anybody|animals|plants|children|in general|usually|typically|normally|ever|does a|do (?:the )?\w+s|of the|in the world|on average|century|war|ancient|empire) /,
  ),
  pattern(
    'body',
    'asks about the body in general',
    / my (?:\w+ )?(?:liver|stomach|ears?|eyes?|heart|brain|appendix|skin|hair|knees?|back|teeth|tongue|nose|throat|muscles?|bones?|fingers?|toes?|foot|legs?|hands?|head|kidneys?|lungs?|belly|body|voice|blood|spleen|nails|phone|car|fridge|laptop|computer|oven|bread|plants?|cat|dog|tv|radio|microwave|router|kettle|tomatoes|bike|battery) /,
  ),
  pattern(
    'capital-fact',
    'asks for a fact of the world',
    / (?:capital|population|height|distance|boiling point|author|inventor|painter|composer|founder|president|currency|language|origin|symptoms|number of|year|depth|speed|formula) (?:of|in|to|from|do|does|was|did) /,
  ),
  pattern(
    'roleplay',
    'asks for a game or a story',
    / (?:play|pretend|joke|poem|story|pun|sing|song|riddle|compliment|slogan|name ideas|game|act like|talk like|rhyme|haiku) /,
  ),
  pattern(
    'safe-or-allowed',
    'asks what is safe, healthy or allowed',
    / (?:safe|dangerous|toxic|poisonous|harmful|edible|healthy|unhealthy|legal|illegal|legally|law|laws|allowed|contagious|addictive|side effects|symptoms|good for|bad for|survive|true|officially|first aid|recommended|supposed to) /,
  ),
  pattern(
    'came-about',
    'asks when or by whom something was made',
    / (?:invent|invented|inventor|invention|built|founded|discovered|composed|painted|wrote|written|writer|author|originally|origin|come from|came from|came up with|come out|came out|first ever|ever made|the first|chosen as|idea was|etymology|century) /,
  ),
  pattern(
    'banter',
    'is said in jest',
    / (?:lol|haha|hahaha|even|honestly|seriously|literally|bloody|rude|typical|weird|mad|silly|cute|bless|kill me|pray|swear|apparently|eh|innit|brutal|nightmare|chaos|change my mind|hot take|settle an argument|no regrets|i give up|believe it|i bet|wish me luck|for the love of) /,
  ),
  pattern(
    'company',
    'asks for company',
    / (?:keep me company|chat|talk (?:to|with) me|talk about|entertain|distract|cheer me|make me laugh|play|gossip|bored|listen|vent) /,
  ),
  {
    id: 'bare-topic',
    says: 'names a subject and nothing else',
    test: ({ joined, wordCount, numbers }) =>
      wordCount >= 1 &&
      wordCount <= 5 &&
      numbers === 0 &&
      !/ (?:i|me|my|mine|you|your|we|us|our|it|that|this|!|please|thanks) /.test(joined),
  },
  {
    id: 'impersonal',
    says: 'says nothing of you or me',
    test: ({ joined }) => !/ (?:i|me|my|mine|myself|you|your|yours|yourself|we|us|our) /.test(joined),
  },
  { id: 'tiny', says: 'is very short', test: ({ wordCount }) => wordCount <= 2 },
  { id: 'short', says: 'is short', test: ({ wordCount }) => wordCount > 2 && wordCount <= 5 },
  { id: 'long', says: 'is long', test: ({ wordCount }) => wordCount > 18 },
  {
    id: 'starts-and',
    says: 'goes on from the sentence before',
    test: ({ joined }) => /^ (?:and|now|then|but|so|also|same|again|what about|how about|or) /.test(joined),
  },
  pattern(
    'pronoun',
    'points at what came before',
    / (?:it|that|this|there|them|those|these|one|then|its|same|another|more|else) (?:\?|$|please|now|to|in|by|too|into|instead)/,
  ),
  { id: 'no-words', says: 'has no words', test: ({ wordCount }) => wordCount === 0 },
];
