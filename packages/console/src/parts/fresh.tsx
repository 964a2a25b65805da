/** Says how many rows have come or gone, which a click shows. */
export function Fresh({ count, take }: { count: number; take: () => void }) {
  return (
    <p class="fresh" role="status">
      {count > 0 && (
        <button type="button" onClick={take}>
          {count === 1 ? '1 change' : `${count} changes`}
        </button>
      )}
    </p>
  );
}
