/*
 * Closed sets of words that say that something changes, ends, comes back, is corrected, or is not so at all.
 */
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const phrases = (alternatives: string): RegExp => new RegExp(` (?:${alternatives}) `, 'i');

/** That something is so from now on. */
export const NOW = phrases(
  'now|nowadays|these days|currently|finally|lately|from (?:now|here|today|tomorrow|this|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|the|january|february|march|april|may|june|july|august|september|october|november|december)|as (?:of|from)|since|ever since|starting|instead|new|newest|latest|in the end|officially|in (?:its|his|her|their) place|for good|permanently|until further notice|turns out|at last|has the|goes by|go by|gone|became|become|becomes|from then',
);
export const CHANGED = phrases(
  'moved?|moving|switch(?:ed)?|swap(?:ped)?|trad(?:e|ed|ing)|part-exchanged|replac(?:e|ed|es)|chang(?:e|ed)|exchanged?|join(?:ed)?|start(?:ed)?|signed|shifted|transferred|relocated|settled|bumped|raised|rais(?:e|ed)|upped|increased|decreased|cut|reduced|lowered|pushed|moved|upgraded|downgraded|renamed|rebranded|retrained|took|taken|put|went|opened|got|bought|ordered|converted|turned|discovered|found|picked|chose|chosen|gave|prefer|promoted|inherited|adopted|became|reset|promoted|rebooked|rescheduled|postponed|brought forward|dropped|knocked|leased|hired|landed|accepted|poached|tried|grown|besotted|elected|voted|agreed|registered|enrolled|reassigned|redeployed|ended up|gone over|gone',
);
/** That somebody comes to have, or goes over to, something. */
export const ACQUIRED = phrases(
  'on to|over to|moved|starts?|starting|back (?:to|at|on|with|in)|switch(?:ed)?|swap(?:ped)?|join(?:ed)?|started|signed|shifted|transferred|relocated|settled|went (?:on|over|for|to|with)|gone (?:over|to|for|with)|took|got (?:a|an|the|his|her|myself|put|me)|put (?:me|us|up|down)|opened|bought|upgraded|changed|landed|bumped|raised|returned|ended up|registered|enrolled|accepted|picked|chose|latest|new|now',
);
export const ENDED = phrases(
  "lapse|let (?:\\S+ ){0,3}(?:lapse|run out)|done|(?:is|are) (?:fine|ok|okay|alright|safe|good) now|flew off|said goodbye|goodbye to|part(?:ed|ing) (?:ways|company)|let (?:\\S+ ){0,2}go|called it (?:a day|quits)|call it (?:a day|quits)|done with|history|deleted|unsubscribed|uninstalled|donated|threw|thrown|handed back|gave back|given back|lapsed|jacked|knocked \\S+ on the head|weaned|came off|come off|ran out|stepped down|stood down|walked out|moved out|laid off|flogged|shut down|folded|withdrew|pulled out|called off|put to sleep|escaped|crashed|nicked|snapped|gone bust|made way|gave way|i am off|i am out|can not (?:eat|drink|have|do|use|watch|handle|take|bear|hear|listen)|overtaken|overtook|beaten|superseded|ousted|(?:was|were|is|got) too|sold|sell|quit|ditch(?:ed)?|drop(?:ped)?|left|leave|leaves|gave up|give up|given up|gave \\S+ up|pack(?:ed)? \\S+ in|pack(?:ed)? (?:\\S+ ){0,3}in|packed in|cancel(?:led|ed)?|retired|retires|died|passed away|bust|closed|stopped|lost|wrote off|written off|totall?ed|hung up|handed in|split(?: up)?|broke up|broken up|divorced|dump(?:ed)?|chucked|bin(?:ned)?|scrapped|forget|expired|behind me|over|finished|gone|goes|went|is out|was out|has had it|had it with|no longer|no more|any ?more|any longer|not any|never again|won't|will not|used to|fell to bits|fell apart|ripped|pulled|pulling|bounces|is fine|no problem|rehomed|given away|gave away|got rid|shut|wound up|are done|is done|were done|ended|end of|off the|right off|went off|gone off|can not (?:stand|look|face)|bores?|lasted|cleared|outgrew|outgrown|stolen|resigned|redundant|fired|sacked|dissolved|not a couple|was no good|didn't work|did not work|swore off|sworn off|kicked|knocked|exchanged|swapped|traded|part-exchanged|replaced|instead of|rather than|instead|old|former|previous|wrong|ex|on maternity|refunded|returned|maternity|off on|died|dies|ate|cut|has left|moved on|moved abroad|moved away|was wrong|too much|makes? me sad|sick of|fed up|tired of|enough of",
);
export const BACK = phrases(
  'back (?:to|on|at|in|with|home|being|the)|back|again|once more|returned|return|like before|stays?|stayed|stuck|sticking|still|reverted|as before|came home|come home|after all|only|resumed|revert',
);
/** After a value as the subject: what follows takes its place. */
export const SUCCEEDED = phrases(
  'now|replaced (?:by|with)|became|becomes|changed|renamed|rebranded|instead|turned into|swapped|traded|exchanged|went up|up to|down to|moved to|answers to|goes by|known as|gave way|made way|upgraded|called|shifted|switched|pushed|bumped|raised|is out',
);
/** That somebody else has it from now on. */
export const TAKEN = phrases(
  'got|has|have|took|takes|bought|wanted|rode off|drove off|went off|walked off|inherited',
);
/** That what was said before was said wrongly. */
export const CORRECTED = phrases(
  'sorry|make (?:that|it)|did i (?:say|write|type|tell)|i said|i told you|i wrote|i typed|i gave you|made a mistake|mistake|mistaken|forget what|i confused|confused|i lied|i was wrong|i meant|i mean|meant|correction|no wait|wait no|scratch|actually|mixed (?:\\S+ ){0,2}up|mix-up|misread|typo|oops|whoops|my mistake|excuse me|did i say|wrong|hang on|hold on|strike that|apologies|my bad|ignore|let me correct|to correct|not right|misspoke|mistyped|i told you wrong|should (?:be|read|have been)|rather|looked at the wrong',
);
/** That plainly takes back what was said last, whatever comes after. */
export const TAKEN_BACK = phrases(
  'i meant|correction|scratch (?:that|what)|no wait|wait no|typo|oops|whoops|my mistake|strike that|my bad|misspoke|mistyped|make (?:that|it)|did i (?:say|write|type|tell)|mixed (?:\\S+ ){0,2}up|ignore (?:that|what)|hang on|hold on',
);
/** What is wished, planned, supposed or guessed. */
export const UNREAL = phrases(
  'would (?!been|read|had|got|taken|meant|said|misread|written|say)\\S+|could|might|should|wish|wishes|wished|suppose|supposing|imagine|hypothetically|thinking (?:of|about)|thought (?:of|about)|planning|plan to|plans to|planned to|plan|hope|hoping|hopes|want|wants|wanted|considering|consider|tempted|dream|dreaming|dreamed|dreamt|all set to|about to|looking at|looking to|maybe|perhaps|toying|fancy|if only|one day|someday|some day|were to|may|in an ideal|ideally|going to|keen to|decide whether|whether|almost|nearly|tried to|trying to|was going|pretend|offered|applying|applied|interview|eyeing|in my head|in another life|not that i|if the|if i|if we|if he|if she|if they|as if|as though|debating|contemplating|pondering|daydream|daydreaming|eventually|ever got|begging|talked about|talking about|talk of',
);
export const NEGATED = phrases(
  '(?:am|is|are|was|were|do|does|did|have|has|had) not|never|no longer|nobody|neither|hardly|(?:have|has|got|is|are) no|will not|not (?:any|an?|the|my|renewing|going back|keen)|no more|will no longer|nor',
);
export const REPORTS = phrases(
  'says?|said|tells?(?: me| us)?|told(?: me| us)?|claims?|claimed|reckons?|reckoned|swears?|swore|was saying|thinks|believes|according to|insists?|insisted|mentioned|announced|wrote|writes|texted|keeps? saying|keeps? telling|brag(?:s|ged)?|recommends?|recommended|suggested|suggests|heard|hears|apparently|rumou?r',
);

export const PREPOSITIONS = set(
  'at in on to for with from by as of into onto against about out off over under near after before behind between during until till through via than because beside up down around round per without within across along like toward towards inside outside',
);
/** Words that end a noun phrase. */
export const NO_NOUN = set(
  "mine hers ours yours theirs and or but so because although though while whereas which who whom whose that this these those it he she they them i we me us you him her himself herself myself is are was were be been being am has have had do does did will would can could may might must shall should not n't no never now then there here also too very really just only again still already instead since when where why how if what again once ago all both each every some any more most such yet ever even anyway please too so much as 's again else today tomorrow yesterday tonight back away together last next everyone everything something nothing anything mind well finally honestly sadly luckily happily please thanks lol haha ta cheers okay ok yes no yeah nope right altogether apparently basically myself itself ourselves yourself themselves outright mostly mainly",
);
/** After these a time says since when, and is no value. */
export const SINCE = set('since from of last next until till this by after before ago every past');
/** Verbs of change that the recall does not know, and forms of verbs that are nouns as well. */
export const MORE_VERBS = set(
  'ditched swapped traded replaced cancelled canceled bumped signed packed upgraded gone been got came cut retrained closed promoted handed hung raised lowered dumped binned scrapped laid put set fitted installed blew tried asked went quit claims reckons says swears insists lasted ate threw gave took bought sold left lost kept fell broke',
);
/** Words that introduce what is said, or fill it, and are no values. */
export const FILLERS = set(
  'correction sorry update news hello hi hey btw thanks thank confession excuse way moment bit lot lots reason course idea luck fact note word words time times rest day days week weeks weekend month months year years morning afternoon evening night kind sort thing things one ones place side half case cases end start guess wow yes oh well ahem ok okay cheers honestly sadly turns latest others way while nothing something anyone someone everyone fine good great nice bad same much many few feet life hand everything yay update hang hold scratch longer lol part pray hola rid ugh new big down',
);
export const ARTICLES = set('a an the my our his her their its your some another this that these those any');
export const TITLES = set(
  'mr mrs ms miss dr doctor prof professor sir madam rev staff nurse coach aunt uncle auntie st saint',
);
/** Persons who serve the user: what they do changes something of the user's. */
export const SERVICES = set(
  'landlord landlady boss manager doctor gp dentist teacher coach tutor council company client agent agency hr it bank vendor optician vet consultant school office garage insurer mechanic trainer work supervisor',
);
