/** Starts the baseline: a page that responds to a key by changing one word, and scrolls a blank element. */
export function startEmpty(root: HTMLElement, rows: number) {
  root.innerHTML = '<div class="pool" tabindex="0"><div></div></div><output></output>';
  const scroller = root.firstElementChild as HTMLElement;
  const blank = scroller.firstElementChild as HTMLElement;
  blank.style.height = `${Math.min(rows * 28, 15_000_000)}px`;
  const word = root.lastElementChild as HTMLElement;
  let presses = 0;
  window.addEventListener('keydown', (event) => {
    event.preventDefault();
    word.textContent = String(++presses);
  });
  scroller.focus();
}
