/** A reason why a command of `npm run deploy` cannot be completed. Its message is one line that says what to do. */
export class DeploymentProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeploymentProblem';
  }
}

/** The engine did not answer. The same call may succeed later. */
export class EngineAway extends DeploymentProblem {
  constructor(reason: string, options?: ErrorOptions) {
    super(`Temporal did not answer: ${reason}; try again`, options);
    this.name = 'EngineAway';
  }
}
