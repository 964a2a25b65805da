import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows above and below what is seen, so that scrolling shows no gap. */
const MARGIN = 12;

export interface Window {
  /** The rows from `first` up to but not `end` are in the document. */
  readonly first: number;
  readonly end: number;
  /** Heights in the place of the rows before and after, pixels. */
  readonly before: number;
  readonly after: number;
}

export interface VirtualOptions {
  readonly count: number;
  /** The height of a row, pixels. */
  readonly height: number;
  /** The row below which something is open; -1: none. */
  readonly open: number;
  /** Its height, pixels. */
  readonly openHeight: number;
}

/** Computes which rows are in the document, if `top` to `bottom` of the list is seen. Pure. */
export function windowOf(
  { count, height, open, openHeight }: VirtualOptions,
  top: number,
  bottom: number,
): Window {
  const offset = (row: number): number => row * height + (open >= 0 && row > open ? openHeight : 0);
  const rowAt = (y: number): number => {
    const isBelow = open >= 0 && y > (open + 1) * height;
    return Math.floor((isBelow ? Math.max((open + 1) * height, y - openHeight) : y) / height);
  };
  const first = Math.min(count, Math.max(0, rowAt(top) - MARGIN));
  const end = Math.max(first, Math.min(count, rowAt(bottom) + 1 + MARGIN));
  return { first, end, before: offset(first), after: offset(count) - offset(end) };
}

function scrollerOf(element: Element | null): Element {
  for (let each = element?.parentElement; each; each = each.parentElement)
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  return document.documentElement;
}

/** Keeps those rows of a long list in the document that are seen. */
export function useWindow(options: VirtualOptions): Window & { readonly list: RefObject<HTMLDivElement> } {
  const list = useRef<HTMLDivElement>(null);
  const [[top, bottom], setSeen] = useState<readonly [number, number]>([0, 800]);
  const measure = (): void => {
    if (list.current === null) return;
    const scroller = scrollerOf(list.current).getBoundingClientRect();
    const from = list.current.getBoundingClientRect().top;
    const seen = [scroller.top - from, scroller.bottom - from] as const;
    setSeen((before) => (Math.abs(before[0] - seen[0]) + Math.abs(before[1] - seen[1]) < 1 ? before : seen));
  };
  useLayoutEffect(measure);
  useEffect(() => {
    const scroller = scrollerOf(list.current);
    scroller.addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      scroller.removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, []);
  return { ...windowOf(options, top, bottom), list };
}
