/** The explanation of a failed start, for the person who started the server. */
export interface Explanation {
  readonly sentence: string;
  readonly exitCode: number;
}

/** Thrown for a failure that one of our processes has explained. */
export class ExplainedError extends Error {
  override name = 'ExplainedError';
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super(explanation.sentence);
    this.explanation = explanation;
  }
}
