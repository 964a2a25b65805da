/** Makes of a function one that computes its value once for each object, and keeps it as long as the object is in use. */
export function onceFor<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>();
  return (key) => {
    const value = cache.get(key) ?? compute(key);
    cache.set(key, value);
    return value;
  };
}
