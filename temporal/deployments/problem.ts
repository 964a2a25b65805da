/** What keeps a deployment from going on, in one line that says what to do. */
export class DeploymentProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeploymentProblem';
  }
}
