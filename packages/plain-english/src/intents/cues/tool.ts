import { hasClass, pattern, type Cue } from './cue';

/** Cues of work that a tool has to do. */
export const TOOL_CUES: readonly Cue[] = [
  { id: 'one-number', says: 'has a number in it', test: ({ numbers }) => numbers === 1 },
  { id: 'two-numbers', says: 'has two numbers in it', test: ({ numbers }) => numbers === 2 },
  { id: 'many-numbers', says: 'has several numbers in it', test: ({ numbers }) => numbers > 2 },
  pattern(
    'number-word',
    'has a number written in words',
    / (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million) /,
  ),
  pattern(
    'symbols',
    'has an arithmetic sign between values',
    / (?:<num>|\w+) [-+*/^×÷] (?:<num>|\w+) | (?:x|times|by|plus|minus) <num> | <num> (?:x|times|plus|minus) |^ (?:[-+*/]|x|times|plus|minus) ?<?\w+| = /,
  ),
  pattern('percent', 'speaks of percent', / (?:%|percent|per cent|percentage|fifth|tenth) /),
  hasClass('calc-word', 'names a calculation', 'calc'),
  hasClass('calc-words', 'names a calculation more than once', 'calc', 2),
  pattern(
    'calc-verb',
    'asks for a calculation',
    / (?:add|sum|total|subtract|deduct|multiply|divide|average|double|triple|halve|calculate|compute|convert|split|round|count|work out|sqrt|solve|tally|take away|put .{1,20}together|what does .{1,40} come to) /,
  ),
  pattern('how-much-many', 'asks for an amount', / how (?:much|many|long|far|old|often|big|tall) /),
  pattern(
    'days-until',
    'asks for a span of time',
    / (?:days|weeks|months|years|hours|minutes|sleeps|time) (?:\w+ )?(?:\w+ )?(?:until|till|to|since|between|from|left|before|after|remain|remaining|ago|have|has|do|is|are|am|old|in|of) | (?:until|till|since|count down|countdown) /,
  ),
  pattern(
    'into-unit',
    'asks for a conversion',
    / (?:in|to|into|as) (?:us |swiss |american |british |canadian |degrees )?(?:dollars?|usd|euros?|eur|pounds?|gbp|yen|jpy|francs?|chf|pesos?|rupees?|kg|kilos?|grams?|g|lbs?|ounces|stone|km|kilometers|kilometres|miles|meters|metres|feet|ft|inches|cm|celsius|fahrenheit|centigrade|kelvin|hex|hexadecimal|binary|decimal|octal|seconds|minutes|hours|days|weeks|months|years|litres|liters|gallons|ml|cups|base64|b64|json|xml|csv|yaml|uppercase|capitals|kronor|zloty|crowns|\$|€|£)(?: |$)|->|=>/,
  ),
  hasClass('unit-word', 'names a unit of measure', 'unit'),
  hasClass('currency-word', 'names a currency', 'currency'),
  pattern('money-sign', 'has an amount of money', / [$€£] /),
  hasClass('data-word', 'speaks of data to be processed', 'data'),
  hasClass('data-words', 'speaks of data to be processed', 'data', 2),
  pattern(
    'data-verb',
    'asks for data to be processed',
    / (?:sort|filter|reverse|encode|decode|hash|parse|validate|extract|format|dedupe|generate|roll|shuffle|uppercase|lowercase|flip|pick|remove the duplicates|count|rank|group|merge|trim|capitalise|capitalize|alphabetise|alphabetize|arrange|order by|pull|strip|escape|flatten) /,
  ),
  pattern('url', 'has a web address in it', / <url> /),
  pattern('file', 'names a file', / <file> /),
  pattern('json', 'has structured data in it', / (?:<json>|<list>) /),
  {
    id: 'json-start',
    says: 'has structured data in it',
    test: ({ raw }) => raw.includes('{"') || raw.includes('[{'),
  },
  pattern('mail', 'has a mail address in it', / <mail> /),
  pattern('clock', 'has a time of day in it', / <clock> /),
  {
    id: 'list-given',
    says: 'gives a list of things to work on',
    test: ({ tokens }) => tokens.filter((token) => token === ',').length >= 2,
  },
  { id: 'colon-data', says: 'gives the data to work on', test: ({ joined }) => / : [<\w]/.test(joined) },
  { id: 'quoted', says: 'quotes a text to work on', test: ({ raw }) => raw.split('"').length > 2 },
  hasClass('net-word', 'speaks of a server or a request', 'net'),
  pattern(
    'net-verb',
    'asks for a web request',
    / (?:fetch|ping|request|curl|download|upload|post|call|hit|query|submit|delete|patch|put|head|scrape) (?:\w+ )?(?:\w+ )?(?:<url>|to|it|the|that|my|this|url|link|api|server|endpoint|address)/,
  ),
  hasClass('file-word', 'speaks of a file', 'file'),
  hasClass('weather-word', 'speaks of the weather', 'weather'),
  pattern(
    'weather-strong',
    'asks for the weather',
    / (?:weather|forecast|raining|rain|snowing|snow|temperature|windy|wind|degrees|umbrella|humidity|sunny|thermometer) /,
  ),
  hasClass('now-word', 'asks for the present state', 'now'),
  pattern(
    'right-now',
    'asks for the present state',
    / (?:right now|at the moment|currently|at present|this (?:very )?(?:minute|moment|second)|just now|now|today|tomorrow|tonight) /,
  ),
  pattern(
    'in-place',
    'names a place',
    / (?:in|for|over|at) \p{L}+(?: \p{L}+)? (?:\?|$|now|today|right|at|tomorrow|tonight|please|currently|this)/u,
  ),
  pattern(
    'time-there',
    'asks for the time of day',
    / (?:what time|current time|local time|time now|the clock|what hour|the hour|time zone|timezone) /,
  ),
  pattern(
    'look-up',
    'asks to look something up',
    / (?:check|look up|look it up|find out|get me|pull up|search|show me|look at|give me|tell me) /,
  ),
];
