/** Closes the resources opened during startup, in reverse order, even if startup failed halfway. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Closes a resource after it has opened, even if something else failed in the meantime. */
  closeOnceOpen<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    this.add(async () => {
      const database = await opening.catch(() => undefined);
      await database?.close();
    });
    return opening;
  }

  /**
   * Runs all steps, even if one fails.
   *
   * @returns the failures
   */
  async run(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}
