/** The field of a run's memo, and of the headers of its activities, that has how many model calls it is within; absent: none. */
export const DEPTH_FIELD = 'depth';
