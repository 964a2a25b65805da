/**
 * Patterns over the tokens of a sentence, which stand between single spaces. Each has what the reasoning says of a sentence
 * that matches it, completing "because it". No unbounded repetition contains another one, so that matching takes time in
 * proportion to the bounded length of a sentence.
 */
export const NAMED_PATTERNS: Readonly<Record<string, RegExp>> = {
  'refers to something that you said':
    / i(?: ha(?:ve|d))?(?: \w+)? (?:(?:told|tell|mentioned|gave|sent|shared|dictated|listed|named|described|introduced|reported|wrote|typed|posted|pasted|showed|confided|explained|logged|promised|texted|uploaded|complained|bragged|ranted|rambled|informed|passed|fed|filed)(?: \w+){0,3} you|said|mentioned|sent|gave|named|listed|dictated|shared|described|reported|quoted|specified) /,
  'refers to an earlier talk of ours':
    / we(?: \w+)?(?: \w+)? (?:talk|talked|discuss|discussed|spoke|spoken|chatted|agreed|agree|decided|decide|settled|settle|picked|pick|chose|choose|went|used|covered|planned|did|had|got|worked|say|said|set|made|go|left) /,
  'relies on what I know about you':
    / you(?: already| still| should| must| 'll)? (?:know|knew|have|remember|hold|got)(?: \w+)? (?:my|mine|the|both|it|them|where|when|which|who|what|how|that|all|everything|these|those|his|her|i|our|of|on|about) | you (?:should|already|must) know | you know (?:\?|,|it|both|that|this|which|where|them)/,
  'asks me to keep something':
    / (?:keep|bear|have|hold|hang)(?: \w+){0,3} (?:in mind|on file|noted|for later|for me|for next|in memory|onto|on to|on record) | (?:do not|never) (?:let me )?(?:forget|lose)| (?:for|in) (?:later|the future|the record|future|next time) | from now on | by the way | fyi | jot (?:down|this)| make a (?:mental )?note/,
  'asks me to remember':
    / (?:remember|note|save|store|memorise|memorize|log|record|keep|noted|file) (?:that|this|it|:|me|my|down|for|in|away|about|i|the|these|,|\?|\.|$)|, remember | (?:note|remember|save|store|memo) :|^ (?:note|remember|memo) /,
  'asks about something of yours':
    / (?:what|which|who|where|when|how (?:old|much|tall|big|many|long))(?: \w+)? (?:is|are|was|were|do|did|does|am)(?: \w+)? (?:my|mine|i|our)(?: |$)/,
  'states a fact about you':
    / i (?:am|have|work|live|prefer|like|take|wear|drive|play|collect|study|go|moved|was|eat|do not|never|always|will|own|speak|take) /,
  'relies on what is usual for you':
    / (?:my|our|the) (?:usual|normal|regular|current|last|old|typical|original|own) | (?:i|we) (?:usually|normally|always|typically|generally|regularly|currently) | as (?:always|ever|usual) | same as /,
  'speaks of where you are or of what you have':
    / (?:at|near|around|to|from|of|than|for|by) (?:mine|me|ours|us) | where i am | i (?:own|have saved|earn|make|pay|charge|owe|spend|bring home|got|bought|paid|booked|measured|logged|saved) /,
  'states how something of yours is':
    /^(?: \w+){0,3} (?:my|our)(?: \S+){1,4} (?:is|are|'s|was|=|:|lives|live|works|work|moved|starts|begins|ends|runs|expires|goes|rehearses|has|can not|hates|loves|likes) [^?]*$/,
  'states what you like or cannot have':
    / i (?:prefer|hate|love|like|do not (?:eat|drink|like|do|want|use)|can not (?:stand|eat|have|do|drink)|only|never|always|gave up|support|am (?:allergic|vegetarian|vegan|scared|into|off|on|left|right|prone|based|from|married|a|an|one of)) | (?:for|with) me (?:please|,|\.|$)| never suggest | (?:do not|no) suggest/,
  'asks for something from now on':
    / (?:from now on|from here on|these days|any more|anymore|no longer|in future|so you know|just so|in case|for the record|for later|for next time|always (?:give|use|tell|answer|say)|whenever|when i say|for your (?:notes|information)|you will (?:want|need|hear|know)|bear|should have mentioned|update|change that|out of date|if anyone asks|i will forget) /,
  'has an arithmetic sign between values':
    / (?:<num>|\w+) [-+*/^×÷] (?:<num>|\w+) | (?:x|times|by|plus|minus) <num> | <num> (?:x|times|plus|minus) |^ (?:[-+*/]|x|times|plus|minus) ?<?\w+| = /,
  'asks for a calculation':
    / (?:add|sum|total|subtract|deduct|multiply|divide|average|double|triple|halve|calculate|compute|convert|split|round|count|work out|sqrt|solve|tally|take away|put .{1,20}together|what does .{1,40} come to) /,
  'has a number written in words':
    / (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million) /,
  'speaks of percent': / (?:%|percent|per cent|percentage|fifth|tenth) /,
  'quotes a text': / <quote> /,
  'has structured data in it': / (?:<json>|<list>) /,
  'names a file': / <file> /,
  'asks for an amount': / how (?:much|many|long|far|old|often|big|tall) /,
  'has a web address in it': / <url> /,
  'asks for a web request':
    / (?:fetch|ping|request|curl|download|upload|post|call|hit|query|submit|delete|patch|put|head|scrape) (?:\w+ )?(?:\w+ )?(?:<url>|to|it|the|that|my|this|url|link|api|server|endpoint|address)/,
  'is about me':
    / (?:are|do|did|would|can|could|were|will|have) you (?!know|remember|recall|still|tell|check|give|show|get|find|compute|calculate|convert|please|read|fetch|look|explain|add|list)| you (?:are|were|look|seem|sound) | your (?:name|favourite|opinion|view|take|creator|maker|feelings|day|job|purpose|style|humble|side|life|age) | (?:about|as for) you | yourself /,
  'asks for a reason': / (?:why|how come|reason|causes?|cause of) /,
  'asks for a fact of the world':
    / (?:capital|population|height|distance|boiling point|author|inventor|painter|composer|founder|president|currency|language|origin|symptoms|number of|year|depth|speed|formula) (?:of|in|to|from|do|does|was|did) /,
  'asks what is safe, healthy or allowed':
    / (?:safe|dangerous|toxic|poisonous|harmful|edible|healthy|unhealthy|legal|illegal|legally|law|laws|allowed|contagious|addictive|side effects|symptoms|good for|bad for|survive|true|officially|first aid|recommended|supposed to) /,
  'asks when or by whom something was made':
    / (?:invent|invented|inventor|invention|built|founded|discovered|composed|painted|wrote|written|writer|author|originally|origin|come from|came from|came up with|come out|came out|first ever|ever made|the first|chosen as|idea was|etymology|century) /,
  'is said in jest':
    / (?:lol|haha|hahaha|even|honestly|seriously|literally|bloody|rude|typical|weird|mad|silly|cute|bless|kill me|pray|swear|apparently|eh|innit|brutal|nightmare|chaos|change my mind|hot take|settle an argument|no regrets|i give up|believe it|i bet|wish me luck|for the love of) /,
  'asks for company':
    / (?:keep me company|chat|talk (?:to|with) me|talk about|entertain|distract|cheer me|make me laugh|play|gossip|bored|listen|vent) /,
};

/** Patterns that count, and that give a reader no reason on their own. */
export const UNNAMED_PATTERNS: readonly RegExp[] = [
  / ! /,
  / : [<\w]/,
  /^ (?:and |so |but )?(?:what|which|who|where|when|why|how) /,
  / i (?:am|feel|was|just|hate|love|miss|can not|had|could|got|won|lost|need|want|did|ran) /,
  / (?:it|that|this|there|them|those|these|one|then|its|same|another|more|else) (?:\?|$|please|now|to|in|by|too|into|instead)/,
  / (?:my|mine|our|ours) /,
  / \? /,
  /^ (?:i|we|my|me) /,
  /^ (?:and|now|then|but|so|also|same|again|what about|how about|or) /,
  / (?:in|for|over|at) \p{L}+(?: \p{L}+)? (?:\?|$|now|today|right|at|tomorrow|tonight|please|currently|this)/u,
  / (?:check|look up|look it up|find out|get me|pull up|search|show me|look at|give me|tell me) /,
  / (?:what|who) (?:is|are|was|were|does|do|did|causes|makes|made) (?!my|your|the (?:weather|time|temperature|result|sum|total|date)|today|i |you |we )/,
  / (?:people|humans?|someone|somebody|one|anybody|animals|plants|children|in general|usually|typically|normally|ever|does a|do (?:the )?\w+s|of the|in the world|on average|century|war|ancient|empire) /,
];
