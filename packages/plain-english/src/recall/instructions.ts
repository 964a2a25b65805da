import type { Token } from '../text/token';

const COMMANDS = new Set(
  'add subtract deduct multiply divide double triple halve calculate compute'.split(' '),
);
const BEFORE = new Set('please now then and ok okay , so'.split(' '));
const SIGN = /^[+×÷*=−]$/;

/** `Add 5 to my locker code`, `5 kg + 300 g`: a sentence that wants a calculation, or writes one, states nothing to be recalled. */
export function isInstruction(sentence: readonly Token[]): boolean {
  return isCommand(sentence) || isCalculation(sentence);
}

function isCommand(sentence: readonly Token[]): boolean {
  const verb = sentence.find(({ lower }) => !BEFORE.has(lower));
  return verb !== undefined && COMMANDS.has(verb.lower) && sentence.some(({ kind }) => kind === 'number');
}

function isCalculation(sentence: readonly Token[]): boolean {
  const isNumber = (at: number): boolean => sentence[at]?.kind === 'number';
  return sentence.some(
    ({ text }, at) => SIGN.test(text) && isNumber(at + 1) && (isNumber(at - 1) || isNumber(at - 2)),
  );
}
