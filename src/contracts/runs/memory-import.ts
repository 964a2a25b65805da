import { type MemoryImportCounts, NO_MEMORIES_IMPORTED } from '../http/memory-imports';

/** What an import does, one after another. It ends after the facts. */
export type MemoryImportPhase = 'memories' | 'relations' | 'facts';

/** Where an import is: what its next step needs of those before. */
export interface MemoryImportPosition {
  readonly phase: MemoryImportPhase;
  /** Offset of the next line of the phase in the upload, bytes. */
  readonly offset: number;
  /** The number of lines before it. */
  readonly lines: number;
  /** The part of the upload whose lines were read, bytes. */
  readonly bytesDone: number;
  readonly counts: MemoryImportCounts;
  /** The lines of an export since its beginning, which its end counts. */
  readonly exported: { readonly episodic: number; readonly semantic: number };
  /** How often the messages of the latest time were said so far, by their first ids; absent before the first message. */
  readonly latest?: { readonly at: number; readonly said: Readonly<Record<string, number>> };
  /** Whether a line names a relation. */
  readonly isTied: boolean;
  /** The earliest event from which facts have to be drawn, epoch milliseconds; absent if no fact may be drawn. */
  readonly earliest?: number;
  /** The last memory whose facts were drawn. */
  readonly drawn?: { readonly timestamp: number; readonly id: string };
}

/** Where an import begins. */
export const IMPORT_BEGINS: MemoryImportPosition = {
  phase: 'memories',
  offset: 0,
  lines: 0,
  bytesDone: 0,
  counts: NO_MEMORIES_IMPORTED,
  exported: { episodic: 0, semantic: 0 },
  isTied: false,
};

/** The input of the run of an import of memories, and of the run that it continues as. */
export interface MemoryImportInput extends MemoryImportPosition {
  readonly userId: string;
  readonly importId: string;
  /** When its memories are stored, ISO 8601. */
  readonly startedAt: string;
}

export interface MemoryImportStep extends MemoryImportPosition {
  readonly done: boolean;
}
