/**
 * A request that has not started its turn this long after it took a place gives the place up, milliseconds. A single
 * process measures this, so clocks of other machines do not matter.
 */
export const TURN_START_LIMIT_MS = 8_000;

/**
 * A turn that has no run when its place is this old will never have one, milliseconds. The margin is for differences
 * between the clocks of machines, and for a request to Temporal that is in flight.
 */
export const PLACE_GIVEN_UP_AFTER_MS = 14_000;

/** A place of this age was given up even if the clocks of two machines differ much, milliseconds. */
export const PLACE_LONG_PAST_MS = 60_000;
