const NUMBER_WORD =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-[a-z]+)?|hundred|thousand|dozen)$/;

/** True for a number written as a word. */
export function isNumberWord(lower: string): boolean {
  return NUMBER_WORD.test(lower);
}
