/**
 * A request starts its turn within this time after it took a place, or not with this place, milliseconds. Measured by one
 * process, so clocks of other machines have no part in it.
 */
export const TURN_START_LIMIT_MS = 8_000;

/**
 * Once a place is this old and its turn was not started, it never will be, milliseconds. The margin is for clocks of different
 * machines and for a request to Temporal that is on its way.
 */
export const PLACE_GIVEN_UP_AFTER_MS = 14_000;

/** A place of this age was given up whatever the clocks of two machines differ by, milliseconds. */
export const PLACE_LONG_PAST_MS = 60_000;
