/** Creates a flag that callers can wait for. It stays raised until someone waits for it. */
export function createSignal() {
  let isRaised = false;
  let wakeUp: () => void = () => {};
  return {
    raise: () => {
      isRaised = true;
      wakeUp();
    },
    async wait(milliseconds: number): Promise<void> {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRaised = false;
      wakeUp = () => {};
    },
  };
}
