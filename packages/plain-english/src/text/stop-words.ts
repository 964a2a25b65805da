const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that carry no subject matter: they choose no tool. */
export const STOP_WORDS = list(
  "a an the this that these those it its 's i me my mine we us our you your he she they them their him her his and or but if then so " +
    'of in on at to for from by with into onto about as is are was were be been being am do does did done have has had ' +
    'having can could will would shall should may might must please pls plz kindly just now hey hi hello thanks thank ' +
    'what which who whom whose when where why how want wants need needs like let lets us there here also too very really ' +
    'some any all each every no not only than up out off over under after before again more most get got give tell ' +
    'show make using use via per one ok okay well right much many go going im id ill cant dont know help able ' +
    'u ur quick quickly possible time new good day morning today',
);

/** What people put around a request to be friendly. */
export const POLITENESS = list(
  'please pls plz kindly thanks thank thx cheers hey hi hello yo dear ok okay well so um uh hmm just quickly quick now ' +
    'maybe perhaps actually basically simply btw again sir madam bot assistant',
);

export const ARTICLES = list('a an the some any my your our his her its their this that these those');

/** Words that point to what came before. */
export const PRONOUNS = list('it that this them those these');
