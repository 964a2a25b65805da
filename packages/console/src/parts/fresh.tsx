/** Says how many new rows there are, which a click shows. */
export function Fresh({ count, take }: { count: number; take: () => void }) {
  return (
    <p class="fresh" role="status">
      {count > 0 && (
        <button type="button" onClick={take}>
          {count} new
        </button>
      )}
    </p>
  );
}
