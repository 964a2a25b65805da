import type { MovedItem, Movement } from '../../stores/record';
import type { GoodsAt } from '../../stores/record-store';
import type { Direction } from './direction';

interface WithGoods {
  readonly goods: GoodsAt;
}

/** An item of a movement, and the first of the goods reached that it may be part of. */
export interface Continued<T> {
  readonly movement: Movement;
  /** Index of the item. */
  readonly place: number;
  readonly reached: T;
}

interface Ordered<T> {
  readonly reached: T;
  /** How many goods were reached before. */
  readonly order: number;
}

/** Goods in the order in which they were reached, each of which concerns more movements than all before it. */
type Improving<T> = Ordered<T>[];

interface AtFacility<T> {
  readonly all: Improving<T>;
  readonly byLot: Map<string | null, Improving<T>>;
}

/**
 * The goods that a step follows, by facility and lot. An item is compared with the goods of its own lots alone, and with
 * these by halving, so that a step costs as much as the movements that it reads, however many goods it follows.
 */
export class ReachedIndex<T extends WithGoods> {
  readonly #direction: Direction;
  readonly #facilities = new Map<string, AtFacility<T>>();

  constructor(direction: Direction, reached: readonly T[]) {
    this.#direction = direction;
    reached.forEach((one, order) => this.#add({ reached: one, order }));
  }

  /** Finds the items of a movement that continue goods, in the order in which these goods were reached. */
  continued(movement: Movement): Continued<T>[] {
    const goods = this.#facilities.get(this.#direction.entry(movement));
    if (goods === undefined) return [];
    return movement.items
      .flatMap((item, place) => {
        const first = this.#first(goods, movement, item);
        return first === undefined ? [] : [{ ...first, place }];
      })
      .sort((a, b) => a.order - b.order || a.place - b.place)
      .map(({ reached, place }) => ({ movement, place, reached }));
  }

  #add(one: Ordered<T>): void {
    const { facilityId, lot } = one.reached.goods;
    const known = this.#facilities.get(facilityId) ?? {
      all: [],
      byLot: new Map<string | null, Improving<T>>(),
    };
    this.#facilities.set(facilityId, known);
    const ofLot = known.byLot.get(lot) ?? [];
    known.byLot.set(lot, ofLot);
    for (const list of [known.all, ofLot]) {
      const last = list.at(-1)?.reached.goods.at;
      if (last === undefined || !this.#direction.covers(last, one.reached.goods.at)) list.push(one);
    }
  }

  #first({ all, byLot }: AtFacility<T>, movement: Movement, item: MovedItem): Ordered<T> | undefined {
    const lots = this.#direction.lots(item);
    const lists = lots === undefined ? [all] : [null, ...lots].map((lot) => byLot.get(lot) ?? []);
    let first: Ordered<T> | undefined;
    for (const list of lists) {
      const entry = this.#firstOf(list, movement);
      if (entry !== undefined && (first === undefined || entry.order < first.order)) first = entry;
    }
    return first;
  }

  /** Halves the list until the first goods are left that the movement takes; it takes all that follow them. */
  #firstOf(list: Improving<T>, movement: Movement): Ordered<T> | undefined {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const one = list[middle];
      if (one !== undefined && this.#direction.takes(one.reached.goods.at, movement)) to = middle;
      else from = middle + 1;
    }
    return list[from];
  }
}
