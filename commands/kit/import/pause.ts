/** How long to work before the page may draw and react again, in ms. */
const TURN_MS = 40;

/** Returns a function to await in a long loop, so that it doesn't freeze the page. */
export function pause(): () => Promise<void> {
  let start = Date.now();
  return async () => {
    if (Date.now() - start < TURN_MS) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    start = Date.now();
  };
}
