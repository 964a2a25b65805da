/**
 * The part of the sandbox that runs inside QuickJS, together with untrusted code. It copies the built-ins that it needs before
 * that code runs, and keeps its state in objects without a prototype. So code that changes a built-in can affect only its own
 * result.
 *
 * Evaluates to `(emit, maxLines, maxLineLength, maxDepth) => ({ drive, explain })`. `emit(json)` receives one console line as
 * a JSON string, and `emit()` counts a dropped line. `drive(make, argumentsText, isExpression)` returns a promise of an outcome:
 * `{ kind: 'value', text: json }`, `{ kind: 'unfit', text: why }` for a result that is not JSON, or
 * `{ kind: 'thrown', text: description, stack }`, with all texts as JSON strings. If the promise is rejected nevertheless,
 * `explain(error)` returns the outcome. An outcome has no prototype, because a promise reads the property `then` of the value it
 * is resolved with, and untrusted code may have added one to `Object.prototype`. Untrusted text is passed as JSON because a raw
 * NUL would truncate it.
 */
export const GUEST_CODE = String.raw`(function (emit, maxLines, maxLineLength, maxDepth) {
  'use strict';
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { test } = RegExp.prototype;
  const { create } = Object;
  const asText = String;
  const ErrorClass = Error;
  const identifier = /^[A-Za-z_$][\w$]*$/;

  const cut = (text, length) => (text.length > length ? apply(slice, text, [0, length]) + '…' : text);

  const describe = (thrown) => {
    try {
      if (typeof thrown === 'string') return 'The tool threw ' + stringify(thrown);
      if (thrown === null || (typeof thrown !== 'object' && typeof thrown !== 'function')) {
        return 'The tool threw ' + asText(thrown);
      }
      const { message } = thrown;
      if (typeof message !== 'string') return 'The tool threw ' + print(thrown);
      const { name } = thrown;
      const label = typeof name === 'string' && name !== '' ? name : 'Error';
      return message === '' ? label : label + ': ' + message;
    } catch {
      return 'The tool threw an object that cannot be read';
    }
  };

  const stackOf = (thrown) => {
    try {
      // The property is read only once, because a getter may return another value each time.
      const { stack } = thrown;
      return typeof stack === 'string' ? cut(stack, 2000) : '';
    } catch {
      return '';
    }
  };

  function printable(key, value) {
    switch (typeof value) {
      case 'bigint':
        return asText(value) + 'n';
      case 'number':
        return isFinite(value) ? value : asText(value);
      case 'symbol':
        return asText(value);
      case 'function':
        return '[function]';
      case 'object':
        return value instanceof ErrorClass ? describe(value) : value;
      default:
        return value;
    }
  }

  const print = (value) => {
    if (typeof value === 'string') return value;
    if (value === undefined) return 'undefined';
    const shown = printable('', value);
    if (typeof shown !== 'object') return asText(shown);
    try {
      return stringify(shown, printable) ?? 'undefined';
    } catch {
      return '[an object that cannot be printed]';
    }
  };

  let lines = 0;
  const writer = (prefix) => (...items) => {
    lines += 1;
    if (lines > maxLines) {
      emit();
      return;
    }
    let line = prefix;
    for (let index = 0; index < items.length && line.length <= maxLineLength; index += 1) {
      line += (index === 0 ? '' : ' ') + print(items[index]);
    }
    emit(stringify(cut(line, maxLineLength)));
  };
  globalThis.console = {
    log: writer(''),
    info: writer(''),
    debug: writer(''),
    warn: writer('warn: '),
    error: writer('error: '),
  };

  const outcome = (kind, text, stack) => {
    const made = create(null);
    made.kind = kind;
    made.text = text;
    made.stack = stack;
    return made;
  };

  const serialize = (result) => {
    const holders = create(null);
    const keys = create(null);
    let depth = 0;
    let unfit;

    const place = () => {
      let path = '';
      for (let level = 1; level <= depth && path.length < 200; level += 1) {
        const key = keys[level];
        if (isArray(holders[level - 1])) path += '[' + key + ']';
        else if (!apply(test, identifier, [key])) path += '[' + stringify(key) + ']';
        else path += path === '' ? key : '.' + key;
      }
      return cut(path, 200);
    };
    const refuse = (what) => {
      const path = place();
      unfit = 'The result ' + (path === '' ? 'is ' + what : 'has ' + what + ' at ' + path) + ', which JSON cannot hold';
      throw unfit;
    };
    // JSON.stringify calls this depth-first with the parent as "this", so the open parents form a stack.
    function inspect(key, value) {
      while (depth > 0 && holders[depth - 1] !== this) depth -= 1;
      keys[depth] = key;
      switch (typeof value) {
        case 'number':
          if (!isFinite(value)) refuse(asText(value));
          break;
        case 'bigint':
          refuse('a BigInt');
          break;
        case 'function':
          refuse('a function');
          break;
        case 'symbol':
          refuse('a symbol');
          break;
        case 'object':
          if (value !== null) {
            if (depth === maxDepth) {
              unfit = 'The result is nested deeper than ' + maxDepth + ' levels';
              throw unfit;
            }
            holders[depth] = value;
            depth += 1;
          }
      }
      return value;
    }

    try {
      return outcome('value', stringify(result, inspect) ?? 'null');
    } catch (error) {
      if (unfit === undefined && describe(error) === 'TypeError: circular reference') {
        depth -= 1;
        const path = place();
        unfit = 'The result refers to itself' + (path === '' ? '' : ' at ' + path) + ', which JSON cannot hold';
      }
      if (unfit !== undefined) return outcome('unfit', stringify(unfit));
      throw error;
    }
  };

  // Each text is serialised separately, because untrusted code may have added a toJSON to arrays or objects.
  const explain = (error) => outcome('thrown', stringify(cut(describe(error), 2000)), stringify(stackOf(error)));

  async function drive(make, argumentsText, isExpression) {
    try {
      const args = parse(argumentsText);
      let result = await make(args);
      if (isExpression && typeof result === 'function') result = await result(args);
      return serialize(result);
    } catch (error) {
      return explain(error);
    }
  }

  return { drive, explain };
})`;
