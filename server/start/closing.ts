/** What a start has opened, to be closed in reverse order however far it came. */
export class Closing {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Closes what is being opened, once it is open, also when something else failed in the meantime. */
  opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    this.add(async () => {
      const open = await opening.catch(() => undefined);
      await open?.close();
    });
    return opening;
  }

  /** One step that fails keeps none of the others from running. @returns what failed */
  async all(): Promise<unknown[]> {
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
