/** The field of a result with what a remote tool sent beside its structured content: parts of the protocol, such as texts and images. */
export const CONTENT_MARK = '_content';
/** The field of a result that says in which respect it is not as the tool declares it. */
export const PROBLEM_MARK = '_problem';
