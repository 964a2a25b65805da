import type { Explanation } from '../../contracts/http/memory';
import type { Neighbours } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { Place } from './fusion';
import { relevanceByNeighbours, scoreInSession } from './neighbours';
import type { OwnScore } from './scoring';

export interface FoundNode {
  readonly node: MemoryNode;
  /** 0 to 1; from 0.7 on the memory is relevant. */
  readonly relevance: number;
}

/** Why a memory was found, and at its place. */
export interface Reasons {
  readonly own: OwnScore;
  /** The fused scores of its neighbours in the session, 0 to 1; 0 if the query did not find them. */
  readonly previous: number;
  readonly next: number;
  /** The relevance that the memory has because of each neighbour, 0 to 1. */
  readonly byNeighbours: { readonly previous: number; readonly next: number };
  /** What is added because the query names the time of the memory. */
  readonly date: number;
  /** The score by which results are ordered, if they are not ordered by relevance. */
  readonly score: number;
  /** The id of the neighbour to which the memory owes its relevance, if it has less by itself. */
  readonly neighbourOf: string | undefined;
}

export interface RankedNode extends FoundNode {
  readonly reasons: Reasons;
}

export interface RankingContext {
  /** The own scores of all found memories, by id. */
  readonly scores: ReadonlyMap<string, OwnScore>;
  readonly neighbours: ReadonlyMap<string, Neighbours>;
  /** Whether the query names the time of a memory. */
  readonly isOfNamedTime: (node: MemoryNode) => boolean;
}

/** What is added to the score of a memory of a time that the query names, with scores from 0 to 1. */
const DATE_BOOST = 0.2;
/** Minimum relevance of such a memory: "What did I do yesterday?" has no word that a memory of that day must have. */
export const DATE_RELEVANCE = 0.3;

/** Computes score and relevance of a found memory from its own scores and those of its neighbours. Pure. */
export function rankNode(
  node: MemoryNode,
  { scores, neighbours, isOfNamedTime }: RankingContext,
): RankedNode {
  const ownScore = scores.get(node.id);
  if (ownScore === undefined) throw new RangeError(`the memory ${node.id} has no score`);
  const beside = neighbours.get(node.id);
  const besideScore = (id: string | undefined, name: 'fused' | 'relevance'): number =>
    (id === undefined ? undefined : scores.get(id)?.[name]) ?? 0;
  const previous = besideScore(beside?.previous, 'fused');
  const next = besideScore(beside?.next, 'fused');
  const byNeighbours = relevanceByNeighbours({
    previous: besideScore(beside?.previous, 'relevance'),
    next: besideScore(beside?.next, 'relevance'),
  });
  const isOfTime = isOfNamedTime(node);
  const withoutNeighbours = isOfTime ? Math.max(ownScore.relevance, DATE_RELEVANCE) : ownScore.relevance;
  const relevance = Math.max(withoutNeighbours, byNeighbours.previous, byNeighbours.next);
  const strongerNeighbour = byNeighbours.previous >= byNeighbours.next ? beside?.previous : beside?.next;
  const date = isOfTime ? DATE_BOOST : 0;
  return {
    node,
    relevance,
    reasons: {
      own: ownScore,
      previous,
      next,
      byNeighbours,
      date,
      score: scoreInSession(ownScore.fused, { previous, next }) + date,
      neighbourOf: relevance > withoutNeighbours ? strongerNeighbour : undefined,
    },
  };
}

/** Converts reasons to what callers see. Pure. */
export function toExplanation({ own, previous, next, byNeighbours, date, score }: Reasons): Explanation {
  const toPlace = (place: Place | undefined): Explanation['words'] =>
    place && { rank: place.rank, score: place.score };
  return {
    words: toPlace(own.words),
    meaning: toPlace(own.meaning),
    coverage: own.coverage,
    ownRelevance: own.relevance,
    previousRelevance: byNeighbours.previous,
    nextRelevance: byNeighbours.next,
    ownScore: own.fused,
    previousScore: previous,
    nextScore: next,
    dateBoost: date,
    score,
  };
}

export function byRelevance(one: RankedNode, other: RankedNode): number {
  return other.relevance - one.relevance || byScore(one, other);
}

/** If two memories rank equally, importance decides, and then recency. */
export function byScore(one: RankedNode, other: RankedNode): number {
  return (
    other.reasons.score - one.reasons.score ||
    other.node.weight - one.node.weight ||
    other.node.timestamp - one.node.timestamp ||
    (one.node.id < other.node.id ? -1 : 1)
  );
}
