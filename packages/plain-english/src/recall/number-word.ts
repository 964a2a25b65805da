export { isNumberWord } from '../text/number-words';
