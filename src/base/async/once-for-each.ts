/**
 * Wraps a function that creates something for a key, so that each key's is created once and kept. A creation that fails is tried
 * again at the next call.
 */
export function onceForEach<V>(create: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const known = new Map<string, Promise<V>>();
  return (key) => {
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    const created = create(key);
    known.set(key, created);
    created.catch(() => known.delete(key));
    return created;
  };
}
