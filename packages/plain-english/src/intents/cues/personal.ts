import { hasClass, pattern, type Cue } from './cue';

const TALK =
  'told|tell|mentioned|gave|sent|shared|dictated|listed|named|described|introduced|reported|wrote|typed|posted|pasted|' +
  'showed|confided|explained|logged|promised|texted|uploaded|complained|bragged|ranted|rambled|informed|passed|fed|filed';

/** Cues of what was said before, what is kept about the person, and what is asked to be kept. */
export const PERSONAL_CUES: readonly Cue[] = [
  pattern(
    'i-told-you',
    'refers to something you told me',
    new RegExp(
      ` i(?: ha(?:ve|d))?(?: \\w+)? (?:${TALK})(?:ed)?(?: \\w+){0,3} you | i(?: ha(?:ve|d))?(?: \\w+)? (?:said|mentioned|sent|gave|named|listed|dictated|shared|described|reported|quoted|specified) `,
    ),
  ),
  pattern(
    'told-you',
    'speaks of telling me something',
    / (?:told|tell|gave|gived|sent|shared|mentioned|said|informed)(?: \w+)?(?: to)? you | i(?: \w+){1,3} (?:in|down|it|them) here | (?:put|typed|logged|dropped|dropping|putting|logging|reporting|typed)(?: \w+){0,3} (?:here|to you) /,
  ),
  pattern(
    'you-told',
    'refers to something I said',
    / you(?: ha(?:ve|d))?(?: \w+)? (?:told|said|mentioned|gave|sent|suggested|recommended|explained|answered|worked|calculated|came|advised|proposed|listed|wrote|called|showed|described) /,
  ),
  pattern(
    'i-asked-you',
    'refers to an earlier request',
    / i(?: \w+)? (?:asked|wanted|said|was|were|had) (?:\w+ )?(?:you|from you|going|to)|my (?:first|last|previous) (?:question|message|request) /,
  ),
  pattern(
    'we-talked',
    'refers to an earlier talk of ours',
    / we(?: \w+)?(?: \w+)? (?:talk|talked|discuss|discussed|spoke|spoken|chatted|agreed|agree|decided|decide|settled|settle|picked|pick|chose|choose|went|used|covered|planned|did|had|got|worked|say|said|set|made|go|left) /,
  ),
  pattern(
    'our-chat',
    'names an earlier conversation',
    / (?:our|last|previous|first|this|earlier|past|yesterday 's|old|the)(?: \w+)? (?:chat|chats|conversation|conversations|talk|talks|session|sessions|discussion|message|messages|exchange) /,
  ),
  pattern(
    'you-know',
    'relies on what I know about you',
    / you(?: already| still| should| must| 'll)? (?:know|knew|have|remember|hold|got)(?: \w+)? (?:my|mine|the|both|it|them|where|when|which|who|what|how|that|all|everything|these|those|his|her|i|our|of|on|about) | you (?:should|already|must) know | you know (?:\?|,|it|both|that|this|which|where|them)/,
  ),
  pattern(
    'known-from-you',
    'takes a value from what you said',
    / (?:from|in|out of|using|with|per|of|by|at) (?:me|my (?:data|notes|details|numbers|profile|own|records|memory|file|info|information|usual|stored|saved|personal|history))(?: |$)|as i (?:said|told|mentioned)| (?:like|what) i (?:said|told|gave|say)| based on what | going by | given what /,
  ),
  pattern(
    'from-before',
    'points back to an earlier time',
    / (?:from|as|than|of) (?:before|earlier|last (?:time|week|month|night|session)|yesterday|the other (?:day|night|week)|this morning|memory|our|a while|ages) | (?:last time|the other day|earlier|previously|a while (?:ago|back)|a moment ago|ages ago|back then|the other (?:day|night|week)|some time ago) /,
  ),
  hasClass('past-word', 'speaks of the past', 'past'),
  hasClass('talk-word', 'uses a verb of telling', 'talk'),
  hasClass('recall-word', 'speaks of remembering or keeping', 'recall'),
  pattern(
    'ask-recall',
    'asks me to recall something',
    / (?:do|can|could|would|will) you (?:still |even |happen to )?(?:remember|recall|remind|know)| remind me | (?:bring|read|repeat|show|paste|tell|play) (?:\w+ )?(?:\w+ )?(?:back|again) | refresh my /,
  ),
  pattern('again', 'asks for something again', / again(?: please)? (?:\?|$)| again /),
  pattern(
    'please-keep',
    'asks me to keep something',
    / (?:keep|bear|have|hold|hang)(?: \w+){0,3} (?:in mind|on file|noted|for later|for me|for next|in memory|onto|on to|on record) | (?:do not|never) (?:let me )?(?:forget|lose)| (?:for|in) (?:later|the future|the record|future|next time) | from now on | by the way | fyi | jot (?:down|this)| make a (?:mental )?note/,
  ),
  pattern(
    'remember-this',
    'asks me to remember',
    / (?:remember|note|save|store|memorise|memorize|log|record|keep|noted|file) (?:that|this|it|:|me|my|down|for|in|away|about|i|the|these|,|\?|\.|$)|, remember | (?:note|remember|save|store|memo) :|^ (?:note|remember|memo) /,
  ),
  pattern(
    'update-fact',
    'corrects a kept fact',
    / (?:actually|correction|no wait|i meant|sorry|update|changed|moved|instead|not) (?:\w+ )?(?:\w+ )?(?:it|that|is|to|make|not|instead|my)/,
  ),
  pattern(
    'whq-my',
    'asks about something of yours',
    / (?:what|which|who|where|when|how (?:old|much|tall|big|many|long))(?: \w+)? (?:is|are|was|were|do|did|does|am)(?: \w+)? (?:my|mine|i|our)(?: |$)/,
  ),
  pattern(
    'am-i',
    'asks about you',
    / (?:am i|do i|did i|have i|was i|had i|were we|did we|have we|are we|do we|should i|can i|will i|could i) /,
  ),
  pattern(
    'i-did',
    'asks what you said or chose',
    / (?:did|do|had|have|was) (?:i|we) (?:\w+ )?(?:say|said|tell|told|mention|mentioned|give|pick|choose|want|wanted|like|order|ordered|decide|settle|go|call|plan|ask|prefer|have|put|leave|buy|set|book|promise|list|agree|use|name|describe|live|work|pay|wear|take|drive|drink|eat|need|hate|report|send|going|supposed) /,
  ),
  pattern('my', 'speaks of something of yours', / (?:my|mine|our|ours) /),
  pattern(
    'my-own',
    'names one of your own details',
    / (?:my|our)(?: \w+)? (?:name|birthday|anniversary|age|address|phone|salary|rent|budget|appointment|allergy|allergies|hobby|hobbies|job|weight|height|password|pin|passport|deadline|plan|plans|goal|flight|hotel|booking|plate|insurance|account|savings|income|wage|pay|order|ticket|diet|dentist|medication|shift|schedule|mortgage|loan|debt|invoice|bill|subscription|locker|code|email|number|town|city|street|flat|measurements|score|scores|mileage|target|limit|pension|profession|surname|blood|itinerary|destination|holiday|trip|exam|car|bike|favourite|rate|size|shoe|home|list|notes|recipe|place|birth|data|usual|hourly|weekly|monthly|daily|own|wedding|route|commute|spot|earnings|expenses) /,
  ),
  pattern(
    'my-kin',
    'speaks of somebody or some pet of yours',
    / (?:my|our)(?: \w+)? (?:sister|brother|mum|mother|dad|father|wife|husband|son|daughter|kid|kids|child|children|baby|grandma|grandmother|gran|granny|grandpa|grandfather|aunt|uncle|cousin|nephew|niece|friend|mate|partner|girlfriend|boyfriend|dog|cat|pet|puppy|boss|landlord|landlady|neighbour|colleague|roommate|flatmate|parents|family|teacher|doctor|twins|in-laws|folks|team)(?:s)? /,
  ),
  pattern(
    'kin-possessive',
    'asks about something of somebody close to you',
    / (?:sister|brother|mum|mother|dad|father|wife|husband|son|daughter|grandma|grandmother|gran|granny|grandpa|grandfather|aunt|uncle|cousin|friend|partner|girlfriend|boyfriend|dog|cat|boss|landlord|neighbour|kids) (?:'s|is|are|was|lives|live|was born)/,
  ),
  pattern(
    'that-one',
    'points at something named before',
    / (?:that|those|these|the)(?: \w+)? (?:one|ones|two|thing|number|numbers|figure|figures|amount|sum|total|address|place|price|date|list|city|town|file|link|url|names|result|trip|name|recipe|endpoint|guests|items)(?: \w+)?(?: \w+)? i /,
  ),
  pattern(
    'i-verb-there',
    'speaks of your life',
    / (?:where|city|town|country|street|village|place|beach|flat)(?: \w+)? (?:i|we|he|she|my \w+|they) (?:\w+ )?(?:live|lives|grew|born|work|works|surf|move|moving|come|park|parked|stay|going|go|travel|travelling|flying|am|is|was|stays|study|studies)/,
  ),
  pattern(
    'self-fact',
    'states a fact about you',
    / i (?:am|have|work|live|prefer|like|take|wear|drive|play|collect|study|go|moved|was|eat|do not|never|always|will|own|speak|take) /,
  ),
  pattern(
    'usual-own',
    'relies on what is usual for you',
    / (?:my|our|the) (?:usual|normal|regular|current|last|old|typical|original|own) | (?:i|we) (?:usually|normally|always|typically|generally|regularly|currently) | as (?:always|ever|usual) | same as /,
  ),
  pattern(
    'at-mine',
    'speaks of where you are or of what you have',
    / (?:at|near|around|to|from|of|than|for|by) (?:mine|me|ours|us) | where i am | i (?:own|have saved|earn|make|pay|charge|owe|spend|bring home|got|bought|paid|booked|measured|logged|saved) /,
  ),
  pattern(
    'own-is',
    'states how something of yours is',
    /^(?: \w+){0,3} (?:my|our)(?: \S+){1,4} (?:is|are|'s|was|=|:|lives|live|works|work|moved|starts|begins|ends|runs|expires|goes|rehearses|has|can not|hates|loves|likes) [^?]*$/,
  ),
  pattern(
    'name-of-own',
    'names somebody close to you',
    / (?:is|are|=|'s|,) (?:my|our|the) (?:\w+ )?(?:wife|husband|partner|brother|sister|cousin|daughter|son|kids|twins|boss|landlord|friend|flatmate|dog|cat|other half|mate|missus|mum|dad)|^ call me | you can call me | i go by | (?:named|called) [^?]*$/,
  ),
  pattern(
    'preference',
    'states what you like or cannot have',
    / i (?:prefer|hate|love|like|do not (?:eat|drink|like|do|want|use)|can not (?:stand|eat|have|do|drink)|only|never|always|gave up|support|am (?:allergic|vegetarian|vegan|scared|into|off|on|left|right|prone|based|from|married|a|an|one of)) | (?:for|with) me (?:please|,|\.|$)| never suggest | (?:do not|no) suggest/,
  ),
  pattern(
    'standing-order',
    'asks for something from now on',
    / (?:from now on|from here on|these days|any more|anymore|no longer|in future|so you know|just so|in case|for the record|for later|for next time|always (?:give|use|tell|answer|say)|whenever|when i say|for your (?:notes|information)|you will (?:want|need|hear|know)|bear|should have mentioned|update|change that|out of date|if anyone asks|i will forget) /,
  ),
  pattern(
    'third-person-told',
    'quotes what somebody else said',
    / (?:teacher|mum|mother|dad|boss|he|she|they|somebody|someone|friend|doctor|people|neighbour|aunt|uncle|guide|kid|son|daughter|colleague|grandma|\w+) (?:told|said|says|claims|swears|reckons|heard|read) (?:me|us|that|it|there|you|glass)/,
  ),
  pattern(
    'told-you-so',
    'says "I told you so"',
    / told you (?:so|it|i|my)(?: |$)|^ see , i | i (?:told|said) you so/,
  ),
];
