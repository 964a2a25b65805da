import { STOP_WORDS, WEAK_WORDS } from './stop-words';
import { stem } from '../../base/text/stem';

/** English words that occur in conversations on any subject, in addition to those that searches ignore. */
const EVERYDAY =
  'able above across actually add afternoon ago agree ahead almost alone along already although always amazing among ' +
  'anybody anymore anyone anyway apparently appear around arrive aside away awesome awful bad basically beautiful became ' +
  'become began begin behind believe below beside best better beyond big bigger bit bring brought bunch buy bought call ' +
  'came cannot care case certain certainly change clear clearly close come common complete completely consider could ' +
  'couple course date day days deal decide definitely despite different difficult done double early easily easy eight ' +
  'either eleven else end enjoy enough especially etc even evening eventually everybody everyone everything everywhere ' +
  'exactly example except expect extra fact fairly far fast feel felt few figure final finally find fine first five ' +
  'follow found four free friday full fully fun general generally given glad gone gonna good got gotta great greatest ' +
  'guess guy half happen happy hard hardly hate hear heard help hers hold hope hour hours however huge hundred idea ' +
  'imagine important include indeed inside instead interested interesting job keep kept kinda large last late lately ' +
  'later latest least leave left less let level likely line list listen literally little live long longer look love ' +
  'low lucky main mainly mark matter maybe mean meant meanwhile meet mention mere midnight might million mind minute ' +
  'minutes miss moment monday month months morning mostly move near nearly necessary neither never new next nice night ' +
  'nine nobody none normal normally note nothing notice nowhere number obvious obviously occasionally offer often old ' +
  'older once ones open opinion order ought outside overall own part particular particularly past pay people per perfect ' +
  'perhaps person personally place plan plenty point possible possibly prefer preferred pretty previous previously ' +
  'probably problem provide put quick quickly quiet quite rarely rather read ready real realise realize reason recent ' +
  'recently regular regularly relate reply right round run sad sat saturday saw second see seem seen self send sense ' +
  'sent serious set seven several short should side similar similarly simple simply since sit six slow slowly small ' +
  'somebody somehow someone sometime sometimes somewhat somewhere soon sorry sound special spend spent start state stay ' +
  'step still stop straight stuff such suggest sunday suppose supposed sure take taken ten tend terrible test thank ' +
  'theres third thirty thought thousand three through throughout thursday till time times tiny today together tomorrow ' +
  'tonight took total totally toward towards tried true truly try tuesday turn twelve twenty twice two type under ' +
  'understand understood unfortunately unless unlike until usual usually various version via visit wait wake walk wanna ' +
  'warm watch way wednesday week weekend weeks welcome well went whatever whenever wherever whether whole whose wish ' +
  'within wonder wonderful work worse worst worth would wow write written wrong wrote yeah year years yep yesterday yet ' +
  'young yup';

/** The stems of these words, because `wanted` is no more a topic than `want`. */
const STEMS: ReadonlySet<string> = new Set(
  [...EVERYDAY.split(' '), ...STOP_WORDS, ...WEAK_WORDS].map((word) => stem(word)),
);

/** Whether a word can be part of a topic. @param word in lower case, without apostrophes */
export function isTopical(word: string): boolean {
  return !STOP_WORDS.has(word) && !STEMS.has(stem(word)) && !/^\p{N}+$/u.test(word);
}
