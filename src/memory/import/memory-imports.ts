import type { ImportError } from '../../contracts/http/imports';
import type { MemoryImportInput, MemoryImportPosition } from '../../contracts/runs/memory-import';
import { toError } from '../../imports/row-json';
import { createNodeAccess, type NodeAccessPorts } from '../nodes/node-access';
import type { Facts } from '../facts/facts';
import type { RedrawPage } from '../upkeep/redraw';
import { createImportedIds, type Derive } from './ids';
import { type IdentifiedLine, importLines, type ImportLinesOptions } from './import-lines';
import { importRelations } from './import-relations';
import { createLineReader, type EndLine, type MemoryLine, type ReadLine } from './read-line';
import { createYielder } from '../../base/async/large-pieces';

export interface MemoryImportsPorts extends NodeAccessPorts {
  readonly facts: Pick<Facts, 'postpone'>;
  /** Draws facts anew; absent if no rules draw facts. */
  readonly redrawPage?: RedrawPage | undefined;
  /** Whether a store of semantic memories is configured. */
  readonly hasSemantic: boolean;
  /** Maximum length of a text, characters. */
  readonly maxContentLength: number;
  readonly derive: Derive;
}

/** The position after some lines, without where they end in the upload, and the errors of these lines. */
export interface ImportedPart extends Omit<MemoryImportPosition, 'phase' | 'offset' | 'lines' | 'bytesDone'> {
  readonly errors: readonly ImportError[];
}

/** What a step of an import does with memories. All methods may be repeated, and throw as `importLines`. */
export interface MemoryImports {
  /** Creates the memories of the next lines. */
  memories(
    lines: readonly string[],
    input: MemoryImportInput,
    options: ImportLinesOptions,
  ): Promise<ImportedPart>;
  /** Adds the relations that the next lines name. */
  relations(lines: readonly string[], input: MemoryImportInput, signal?: AbortSignal): Promise<ImportedPart>;
  /**
   * Draws the facts of a bounded number of memories from the earliest imported one on.
   * @returns the last of them; undefined after the last memory of the user
   */
  facts(input: MemoryImportInput, signal?: AbortSignal): Promise<MemoryImportPosition['drawn']>;
}

/** Pages of memories whose facts one step draws, and the time after which it begins no further page, milliseconds. */
const MAX_PAGES = 5;
const STEP_MS = 30_000;
/** Maximum number of messages of one time among which the same one is counted. */
const MAX_SAID = 100;

export function createMemoryImports(ports: MemoryImportsPorts): MemoryImports {
  const { graph, redrawPage } = ports;
  const readLine = createLineReader(ports.maxContentLength);
  const ids = createImportedIds(ports.derive);
  const nodes = {
    episodic: createNodeAccess('episodic', ports),
    semantic: createNodeAccess('semantic', ports),
  };

  async function readAll(
    texts: readonly string[],
    { userId, startedAt, lines }: MemoryImportInput,
  ): Promise<ReadLine[]> {
    const yieldIfLong = createYielder();
    const target = { userId, storedAt: Date.parse(startedAt) };
    const read: ReadLine[] = [];
    for (const [place, text] of texts.entries()) {
      await yieldIfLong();
      read.push(readLine(text, lines + place + 1, target));
    }
    return read;
  }

  /** Gives a message its id. The same message is another one if it is said again at the same time. */
  function identify(line: MemoryLine, userId: string, latest: MemoryImportPosition['latest']) {
    if ('id' in line.named) return { id: line.named.id, latest };
    const { said } = line.named;
    const before = latest?.at === said.at ? Object.entries(latest.said) : [];
    const id = ids.ofMessage(userId, said, 0);
    const nth = before.find(([first]) => first === id)?.[1] ?? 0;
    const others = before.filter(([first]) => first !== id).slice(1 - MAX_SAID);
    return {
      id: nth === 0 ? id : ids.ofMessage(userId, said, nth),
      latest: { at: said.at, said: Object.fromEntries([...others, [id, nth + 1]]) },
    };
  }

  return {
    async memories(texts, input, options) {
      const { userId, counts } = input;
      let { latest, exported, isTied } = input;
      const errors: ImportError[] = [];
      const valid: IdentifiedLine[] = [];
      const count = (kind: 'episodic' | 'semantic'): void => {
        exported = { ...exported, [kind]: exported[kind] + 1 };
      };
      for (const read of await readAll(texts, input)) {
        if (read === undefined) continue;
        if ('end' in read) {
          const error = checkEnd(read, exported);
          if (error !== undefined) errors.push(error);
          exported = { episodic: 0, semantic: 0 };
        } else if ('error' in read) {
          if (read.kind !== undefined) count(read.kind);
          errors.push(read.error);
        } else {
          if ('id' in read.named) count(read.node.kind);
          isTied ||= read.ties.length > 0;
          if (read.node.kind === 'semantic' && !ports.hasSemantic) {
            errors.push(toError(read.line, 'Semantic memories are not available: VECTOR_STORE=none'));
            continue;
          }
          const identified = identify(read, userId, latest);
          ({ latest } = identified);
          valid.push({ ...read, id: identified.id });
        }
      }
      const imported = await importLines(valid, userId, { graph, nodes, facts: ports.facts, ids }, options);
      const all = [...errors, ...imported.errors].sort((one, other) => one.line - other.line);
      const earliest = Math.min(input.earliest ?? Infinity, imported.earliest ?? Infinity);
      return {
        errors: all,
        counts: {
          ...counts,
          rows: counts.rows + texts.length,
          created: counts.created + imported.created,
          present: counts.present + imported.present,
          failed: counts.failed + all.length,
          renamed: counts.renamed + imported.renamed,
        },
        exported,
        isTied,
        latest,
        ...(earliest === Infinity ? {} : { earliest }),
      };
    },
    async relations(texts, input, signal) {
      const { counts, exported, isTied, earliest } = input;
      const lines = (await readAll(texts, input)).filter(
        (read): read is MemoryLine => read !== undefined && 'ties' in read,
      );
      const errors = await importRelations(lines, input.userId, { graph, ids }, signal);
      return {
        errors,
        counts: { ...counts, unrelated: counts.unrelated + errors.length },
        exported,
        isTied,
        earliest,
      };
    },
    async facts({ userId, earliest, drawn }, signal) {
      if (redrawPage === undefined || earliest === undefined) return undefined;
      // The first page begins before the event, with what is archived of the same time.
      let after = drawn ?? { timestamp: earliest - 1, id: '' };
      const end = performance.now() + STEP_MS;
      for (let page = 0; page < MAX_PAGES && performance.now() < end; page += 1) {
        const { next } = await redrawPage(userId, after, signal);
        if (next === undefined) return undefined;
        after = next;
      }
      return after;
    },
  };
}

/** @returns the error of the end of an export that does not have as many memories as it says */
function checkEnd(
  { line, end }: EndLine,
  exported: MemoryImportPosition['exported'],
): ImportError | undefined {
  const { episodic, semantic } = exported;
  if (end.episodic === episodic && end.semantic === semantic) return undefined;
  return toError(
    line,
    `The export is not whole: it has ${episodic} episodic and ${semantic} semantic memories, and ends after ` +
      `${end.episodic} and ${end.semantic}`,
  );
}
