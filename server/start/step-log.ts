/**
 * Prints what is being done, and how long each step took once the next begins, as the launcher does for its own steps
 * (launch/steps.mjs).
 */
export class StepLog {
  readonly #write: (text: string) => void;
  #startedAt: number | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  start(title: string): void {
    this.end();
    this.#write(`  ${title} … `);
    this.#startedAt = performance.now();
  }

  end(): void {
    if (this.#startedAt !== undefined) this.#finish(`${((performance.now() - this.#startedAt) / 1000).toFixed(1)} s`);
  }

  /** Ends the line of the current step, so the error starts a new one. */
  fail(): void {
    if (this.#startedAt !== undefined) this.#finish('failed');
  }

  #finish(result: string): void {
    this.#write(`${result}\n`);
    this.#startedAt = undefined;
  }
}
