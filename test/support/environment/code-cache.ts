import vm from 'node:vm';

interface Compiled {
  readonly code: string;
  readonly data: Buffer;
}

const compiled = new Map<string, Compiled>();
const unsaved: { filename: string; code: string; script: vm.Script }[] = [];

/**
 * Lets the suites of one process share compiled code. Jest evaluates every module, its own and zod included, anew for
 * each suite with `vm.compileFunction`, for which V8 has no cache: that was a quarter of the CPU of the unit suites. A
 * `vm.Script` can be compiled from what an earlier script had compiled, functions that had run included, so this
 * replaces `vm.compileFunction` of the process by one that makes a script.
 */
export function shareCompiledCode(): void {
  vm.compileFunction = compileFunction;
}

/** Keeps what the scripts of a suite have compiled by now. */
export function keepCompiledCode(): void {
  for (const { filename, code, script } of unsaved.splice(0))
    compiled.set(filename, { code, data: script.createCachedData() });
}

const compileFunction: typeof vm.compileFunction = (code, params = [], options = {}) => {
  const { filename = '', parsingContext, importModuleDynamically } = options;
  const head = `(function (${params.join(', ')}) {`;
  const known = compiled.get(filename);
  const cachedData = known?.code === code ? known.data : undefined;
  const script = new vm.Script(`${head}${code}\n})`, {
    filename,
    // Positions in stacks stay those of the file.
    columnOffset: -head.length,
    ...(cachedData === undefined ? {} : { cachedData }),
    // What the types call a function is the script here; jest uses neither.
    importModuleDynamically: importModuleDynamically as vm.ScriptOptions['importModuleDynamically'],
  });
  if (cachedData === undefined || script.cachedDataRejected === true)
    unsaved.push({ filename, code, script });
  return parsingContext === undefined ? script.runInThisContext() : script.runInContext(parsingContext);
};
