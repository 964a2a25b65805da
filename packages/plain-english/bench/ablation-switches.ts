import { readdirSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A function or a rule of a list, which can be made to read nothing. */
export interface Switch {
  /** `recall/find.ts findStated`, or `plan/read-clause.ts BUILT_IN[2]` */
  readonly name: string;
  /** Lines of the source. */
  readonly lines: number;
}

/** What a function returns that has found nothing. */
type Nothing = (args: readonly unknown[]) => unknown;

interface CompilableModule {
  _compile(this: NodeJS.Module, content: string, file: string): unknown;
}

/** Switches off one function or rule of the package at a time. It has to exist before any module of the package is loaded. */
export class Switches {
  readonly #functions = new Map<string, Switch & { readonly nothing: Nothing }>();
  readonly #lists = new Map<string, unknown[]>();
  readonly #used = new Set<string>();
  #off: string | undefined;

  /** @param sources and compiled: the folders of the package's TypeScript and of what it compiles to */
  constructor(sources: string, compiled: string) {
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) this.#readSource(file, readFileSync(join(sources, file), 'utf8'));
    const prototype = Module.prototype as unknown as CompilableModule;
    const compile = prototype._compile;
    const instrument = this.#instrument.bind(this);
    prototype._compile = function (content, file) {
      const name = relative(compiled, file).replace(/\.js$/, '.ts');
      return compile.call(this, name.startsWith('..') ? content : instrument(name, content), file);
    };
    Object.assign(globalThis, { ablation: { call: this.#call.bind(this), list: this.#addList.bind(this) } });
  }

  get all(): readonly Switch[] {
    const rules = [...this.#lists].flatMap(([name, list]) =>
      list.map((_rule, at) => ({ name: `${name}[${at}]`, lines: 1 })),
    );
    return [...this.#functions.values(), ...rules];
  }

  /** Runs work and returns which switches it could depend on: functions that found something, lists of files that ran. */
  observe(work: () => unknown): ReadonlySet<string> {
    this.#used.clear();
    work();
    return new Set(this.#used);
  }

  /** True where switching off cannot change what work did, by what `observe` returned of it. */
  static isUnused(name: string, used: ReadonlySet<string>): boolean {
    const [file = '', part = ''] = name.split(' ');
    return !used.has(part.includes('[') ? file : name);
  }

  without<T>(name: string, work: () => T): T {
    const [, list = '', at = ''] = /^(.*)\[(\d+)\]$/.exec(name) ?? [];
    const rules = this.#lists.get(list);
    if (!rules) {
      this.#off = name;
      try {
        return work();
      } finally {
        this.#off = undefined;
      }
    }
    const [rule] = rules.splice(Number(at), 1);
    try {
      return work();
    } finally {
      rules.splice(Number(at), 0, rule);
    }
  }

  #readSource(file: string, text: string): void {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (!ts.isFunctionDeclaration(statement) || !statement.name || statement.asteriskToken) continue;
      const nothing = nothingOf(statement);
      const { line: first } = source.getLineAndCharacterOfPosition(statement.getStart());
      const { line: last } = source.getLineAndCharacterOfPosition(statement.end);
      const name = `${file} ${statement.name.text}`;
      if (nothing) this.#functions.set(name, { name, lines: last - first + 1, nothing });
    }
  }

  /** Compiled functions of a module stand at the start of a line, as its lists do. */
  #instrument(file: string, content: string): string {
    const switched = content.replace(/^function (\w+)\(/gm, (whole, name: string) => {
      const id = `${file} ${name}`;
      if (!this.#functions.has(id)) return whole;
      return `function ${name}(...args) { return globalThis.ablation.call('${id}', ${name}Itself, args); }\nfunction ${name}Itself(`;
    });
    const lists = [...content.matchAll(/^(?:const|exports\.)\s*(\w+) = \[$/gm)].map(
      ([whole, name = '']) =>
        `globalThis.ablation.list('${file} ${name}', ${whole.startsWith('exports') ? `exports.${name}` : name});`,
    );
    return `${switched}\n${lists.join('\n')}`;
  }

  #call(name: string, itself: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): unknown {
    const nothing = this.#functions.get(name)?.nothing(args);
    if (this.#off === name) return nothing;
    const found = itself(...args);
    this.#used.add(name.slice(0, name.indexOf(' ')));
    if (!isSame(found, nothing)) this.#used.add(name);
    return found;
  }

  /** Words are data; what is switched is rules. */
  #addList(name: string, list: unknown): void {
    if (!Array.isArray(list) || list.length < 2 || typeof list[0] === 'string') return;
    this.#lists.set(name, list);
  }
}

function isSame(found: unknown, nothing: unknown): boolean {
  if (Array.isArray(found) && Array.isArray(nothing)) return found.length === 0 && nothing.length === 0;
  return found === nothing;
}

/** By the declared type: undefined, an empty list, no, or what was given. Undefined where the type has no such value. */
function nothingOf({ type, parameters }: ts.FunctionDeclaration): Nothing | undefined {
  const text = type?.getText() ?? '';
  if (/\| undefined$|^undefined \|/.test(text)) return () => undefined;
  if (type && (ts.isArrayTypeNode(type) || /^readonly .*\[\]$/s.test(text))) return () => [];
  if (text === 'boolean' || (type && ts.isTypePredicateNode(type))) return () => false;
  if (/^(?:Readonly)?Set</.test(text)) return () => new Set();
  if (/^(?:Readonly)?Map</.test(text)) return () => new Map();
  if (text === 'void') return () => undefined;
  const given = parameters.findIndex((one) => one.type?.getText() === text);
  return given < 0 ? undefined : (args) => args[given];
}
