const toSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** English words that say almost nothing about the topic of a text. Contractions are without their apostrophe. */
export const STOP_WORDS = toSet(
  'a an the this that these those it its i me my mine myself we us our ours you your yours he him his she her hers they ' +
    'them their theirs who whom whose which what when where why how and or but nor so if then than because while as of ' +
    'in on at to for from by with without into onto upon about over under after before between through during against ' +
    'up down out off is are was were be been being am do does did done doing have has had having can could will would ' +
    'shall should may might must not no yes there here also too very just only even still yet ever again more most some ' +
    'any all each every both few many much other another such own same im ive id ill dont doesnt didnt cant couldnt wont ' +
    'wouldnt isnt arent wasnt werent hasnt havent hadnt youre youve weve theyre theyve hes shes thats whats lets s t ' +
    'please ok okay oh hey hi hello thanks thank',
);

/** Words that people mostly use to ask or to report, and seldom as the topic of a question. */
export const WEAK_WORDS = toSet(
  'user users tell told say says said know knows knew think thinks thought like likes want wants wanted need needs remember ' +
    'remind recall mention mentioned talk talked ask asked show find look get gets got give make makes made use uses used ' +
    'using go goes went going thing things something anything kind sort lot really currently often usually always never ' +
    'now one way name called information info details question discuss discussed',
);
