const CODE = /\d{1,6}(?:[-/]\d{2,8}){1,3}(?![\p{L}\d])/uy;
const BEFORE_CODE =
  /(?:^|[\s#])(?:order|orders|number|no|no\.|nr|ticket|invoice|case|id|account|article|parcel|booking|reservation|reference|ref|policy|contract|file|record|serial)(?:\s+(?:number|id|no\.?|nr\.?))?:?\s+#?$/i;
/** Characters before a code that are looked at. */
const CONTEXT = 32;

/** Where a code of digits and hyphens ends: after `order` or `number`, `10-4432` is no subtraction. */
export function findNumberCodeEnd(source: string, at: number): number | undefined {
  CODE.lastIndex = at;
  const code = CODE.exec(source)?.[0];
  const called = code !== undefined && BEFORE_CODE.test(source.slice(Math.max(0, at - CONTEXT), at));
  return called ? at + code.length : undefined;
}
