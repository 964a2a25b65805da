import { check as isIRegexp } from 'iregexp-check';
import { FunctionExpressionType, type FilterFunction, type JSONPathEnvironment } from 'json-p3';
import { RE2JS } from 're2js';

/** The number of compiled patterns that are kept: a filter applies the same few to every candidate. */
const MAX_KEPT = 16;

/**
 * Replaces `match()` and `search()` of RFC 9535 by functions on RE2, whose time is linear in the length of a text. The library's
 * own functions use V8's expressions, which backtrack: `(a+)+b` takes hours for 40 letters.
 */
export function useLinearPatterns({ functionRegister }: JSONPathEnvironment): void {
  const compile = keepCompiled();
  functionRegister.set(
    'match',
    patternFunction(compile, (expression, text) => expression.testExact(text)),
  );
  functionRegister.set(
    'search',
    patternFunction(compile, (expression, text) => expression.test(text)),
  );
}

/** By RFC 9535 §2.4.6 and §2.4.7 the result is false unless both arguments are strings and the second one is an I-Regexp. */
function patternFunction(
  compile: (pattern: string) => RE2JS | undefined,
  test: (expression: RE2JS, text: string) => boolean,
): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown) {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      const expression = compile(pattern);
      return expression !== undefined && test(expression, text);
    },
  };
}

/** Returns a function that compiles a pattern, or returns undefined for one that cannot be used, and keeps the last results. */
function keepCompiled(): (pattern: string) => RE2JS | undefined {
  const compiledPatterns = new Map<string, RE2JS | undefined>();
  return (pattern) => {
    if (!compiledPatterns.has(pattern)) {
      const [oldest] = compiledPatterns.keys();
      if (compiledPatterns.size >= MAX_KEPT && oldest !== undefined) compiledPatterns.delete(oldest);
      compiledPatterns.set(pattern, compileIRegexp(pattern));
    }
    return compiledPatterns.get(pattern);
  };
}

/** RE2 also refuses what an I-Regexp may have: counts above 1,000, and expressions that become too large by their counts. */
function compileIRegexp(pattern: string): RE2JS | undefined {
  try {
    return isIRegexp(pattern) ? RE2JS.compile(mapDots(pattern)) : undefined;
  } catch {
    // The parsers throw for a pattern that cannot be used, and overflow their stack for one that is nested very deeply.
    return undefined;
  }
}

/**
 * Replaces each dot outside of a class by `[^\n\r]`, as RFC 9485 §5.3 says. In an I-Regexp, a backslash and the character after
 * it, and a class from bracket to bracket, are the only places where a dot is no wildcard.
 */
function mapDots(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gsu, (part) => (part === '.' ? '[^\\n\\r]' : part));
}
