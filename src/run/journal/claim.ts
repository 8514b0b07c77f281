/**
 * Claims a stored run for this page until it closes or releases the run, so that no two tabs continue the same run.
 *
 * @returns a function that releases it, or undefined if another page has claimed it
 */
export function claimRun(id: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`quarterdeck-run:${id}`, { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(() => release()));
        resolve(undefined);
        return undefined;
      })
      .catch(reject);
  });
}
