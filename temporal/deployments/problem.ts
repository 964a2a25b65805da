/** What keeps a deployment from going on, in one line that says what to do. */
export class DeploymentProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeploymentProblem';
  }
}

/** The engine did not answer; it may a moment later. */
export class EngineAway extends DeploymentProblem {
  constructor(reason: string, options?: ErrorOptions) {
    super(`Temporal did not answer: ${reason}; try again`, options);
    this.name = 'EngineAway';
  }
}
