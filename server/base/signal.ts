/** Creates a flag that callers can wait for. It stays raised until someone waits for it. */
export function createSignal() {
  let raised = false;
  let wakeUp: () => void = () => {};
  return {
    raise: () => {
      raised = true;
      wakeUp();
    },
    async wait(milliseconds: number): Promise<void> {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      raised = false;
      wakeUp = () => {};
    },
  };
}
