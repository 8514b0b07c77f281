/** The explanation of a failed start, for the person who started the server. */
export interface Explanation {
  readonly message: string;
  readonly exitCode: number;
}

/** Thrown for a failure that a child process has already explained. */
export class ExplainedError extends Error {
  override name = 'ExplainedError';
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super(explanation.message);
    this.explanation = explanation;
  }
}
