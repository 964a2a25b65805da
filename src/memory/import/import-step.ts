import { HoldfastError } from '../../base/errors';
import type { MemoryImportCounts } from '../../contracts/http/memory-imports';
import type {
  MemoryImportInput,
  MemoryImportPosition,
  MemoryImportStep,
} from '../../contracts/runs/memory-import';
import type { ImportFiles } from '../../imports/import-files';
import type { ImportedPart, MemoryImports } from './memory-imports';

/** Limits of one step. It ends with the line by which it reaches either limit. */
const STEP_BOUNDS = { rows: 500, bytes: 4 * 1_024 * 1_024 };

/**
 * Imports the next lines, or draws the next facts. A repeat with the same input changes nothing and has the same result. After an
 * abort by `signal` it writes no further memory and no report, and rejects with the signal's reason.
 * @throws what graph, embedder and files throw; HoldfastError `MEMORY_ERASING`; `IMPORT_NOT_FOUND` if the import was erased
 */
export async function importMemoriesStep(
  files: ImportFiles<MemoryImportCounts>,
  imports: MemoryImports,
  input: MemoryImportInput,
  signal?: AbortSignal,
): Promise<MemoryImportStep> {
  const { importId, startedAt, phase } = input;
  /** A step that was late must do nothing for a user who was erased meanwhile. */
  async function checkPresent(): Promise<void> {
    if ((await files.readRun(importId)) === undefined)
      throw new HoldfastError('IMPORT_NOT_FOUND', `The import "${importId}" was erased`);
  }

  async function report(
    step: MemoryImportStep,
    errors: ImportedPart['errors'] = [],
  ): Promise<MemoryImportStep> {
    signal?.throwIfAborted();
    await checkPresent();
    const { counts, bytesDone, done } = step;
    const state = done ? 'completed' : 'running';
    const pass = phase === 'memories' ? 0 : 1;
    await files.storeReport({ ...counts, id: importId, state, startedAt, bytesDone }, errors, pass);
    return step;
  }

  await checkPresent();
  if (phase === 'facts') {
    const drawn = await imports.facts(input, signal);
    // The position keeps what an earlier step has set.
    // eslint-disable-next-line holdfast/conditional-spread -- it is spread over an earlier value
    const position = { ...positionOf(input), ...(drawn === undefined ? {} : { drawn }) };
    return report({ ...position, done: drawn === undefined });
  }
  const read = await files.read(importId, input.offset, STEP_BOUNDS);
  const { errors, ...part } =
    phase === 'memories'
      ? await imports.memories(read.rows, input, {
          storeFirstLook: (lines) => files.storeFirstLook(importId, input.offset, lines),
          signal,
        })
      : await imports.relations(read.rows, input, signal);
  const next = phase === 'memories' && part.isTied ? 'relations' : 'facts';
  const place: Pick<MemoryImportPosition, 'phase' | 'offset' | 'lines'> = read.done
    ? { phase: next, offset: 0, lines: 0 }
    : { phase, offset: read.offset, lines: input.lines + read.rows.length };
  const bytesDone = phase === 'memories' ? read.offset : input.bytesDone;
  return report({ ...part, ...place, bytesDone, done: false }, errors);
}

function positionOf({
  userId: _user,
  importId: _id,
  startedAt: _at,
  ...position
}: MemoryImportInput): MemoryImportPosition {
  return position;
}
