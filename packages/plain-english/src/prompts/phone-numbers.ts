/** One with a country code; with an area code in brackets; in groups with one kind of separator; digits alone. */
const PHONE =
  /(?<![\w+.,/-])(?:\+\d{1,3}(?:[ .-]?\(?\d{2,14}\)?){1,5}|\(\d{2,5}\)[ -]?\d{2,5}(?:[ -]\d{2,5}){0,3}|\d{1,5}(?:-\d{2,8}){1,4}|\d{3,4}(?:\.\d{3,4}){1,2}|0\d{1,4}(?: \d{2,8}){1,3}|\d{3} (?:\d{3} )?\d{4}|\d{7,15})(?![\w/-]|[.,]\d)/g;
const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})$/;

/** The telephone numbers of a text as they are written, whole. */
export function findPhoneNumbers(text: string): string[] {
  return (text.match(PHONE) ?? []).filter((found) => {
    const digits = found.replace(/\D/g, '').length;
    return digits >= 7 && digits <= 15 && !DATE.test(found);
  });
}
