type Method = (...args: unknown[]) => unknown;

/**
 * Wraps a store so that its methods are those that `wrap` returns.
 * @param wrap called at each use of a method. @param call calls the method on the store and not on the wrapper, because a store
 *   has private fields
 */
export function wrapMethods<S extends object>(
  store: S,
  wrap: (name: string | symbol, call: Method) => Method,
): S {
  return new Proxy(store, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return wrap(property, (...args) => Reflect.apply(member, target, args) as unknown);
    },
  });
}
