import type { TipSide } from '#src/ui/tip.ts';

// Spec 9: shows after 100 ms, hides after 200 ms.
const SHOW_DELAY = 100;
const HIDE_DELAY = 200;

/** A tooltip to show, and the element that it is about. */
export interface Tip {
  readonly target: Element;
  readonly text: string;
  readonly keys: string | undefined;
  readonly side: TipSide;
}

/** Elements whose text ends in an ellipsis where it does not fit. */
const CUT = '.truncate, .qd-cell';

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;

function toldBy(element: HTMLElement): Tip {
  const { tip: text = '', tipKeys: keys, tipSide: side = 'bottom' } = element.dataset;
  return { target: element, text, keys, side: side as TipSide };
}

function whole(element: Element): Tip {
  return { target: element, text: element.textContent.trim(), keys: undefined, side: 'bottom' };
}

/**
 * What there is to say about an element: what it declares, else all of a text that is cut. A menu or list that it has
 * opened says enough.
 */
export function tipOf(element: Element, focused: boolean): Tip | undefined {
  if (element.closest('[aria-expanded="true"]')) return undefined;
  const told = element.closest<HTMLElement>('[data-tip]');
  if (told) return toldBy(told);
  const near = element.closest(CUT);
  if (near && isCut(near)) return whole(near);
  const within = focused ? [...element.querySelectorAll(CUT)].find(isCut) : undefined;
  return within && whole(within);
}

/**
 * Tells which tooltip to show, by listening once for the whole page: a table has hundreds of cells that may be cut.
 * `hideNow` is called where a tooltip must be gone before the event goes on.
 */
export function watchTips(show: (tip: Tip | undefined) => void, hideNow: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over: Element | undefined;
  let place = '';
  // Where the pointer rested when keys took over: rows that move under it are not pointed at.
  let resting: string | undefined;
  let shown: Element | undefined;
  const later = (delay: number, task: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(task, delay);
  };
  const set = (tip: Tip | undefined): void => {
    shown = tip?.target;
    show(tip);
  };
  const hide = (): void => {
    if (shown) later(HIDE_DELAY, () => set(undefined));
    else clearTimeout(timer);
  };
  const consider = (element: Element, focused: boolean): void => {
    if (shown?.contains(element)) return clearTimeout(timer);
    // Measuring waits until the pointer rests: nothing is laid out while it crosses a table.
    later(SHOW_DELAY, () => {
      const tip = element.isConnected ? tipOf(element, focused) : undefined;
      if (tip) set(tip);
      else if (shown) later(HIDE_DELAY - SHOW_DELAY, () => set(undefined));
    });
  };
  const drop = (): void => {
    clearTimeout(timer);
    over = undefined;
    resting = place;
    if (!shown) return;
    shown = undefined;
    hideNow();
  };

  const listeners: readonly (readonly [string, (event: Event) => void, boolean])[] = [
    [
      'pointerover',
      (event) => {
        const { target, pointerType, clientX, clientY } = event as PointerEvent;
        if (!(target instanceof Element) || pointerType === 'touch' || target === over) return;
        place = `${clientX} ${clientY}`;
        if (place === resting) return;
        resting = undefined;
        over = target;
        consider(target, false);
      },
      false,
    ],
    ['pointerout', (event) => (event as PointerEvent).relatedTarget ?? hide(), false],
    [
      'focusin',
      ({ target }) => {
        if (target instanceof Element && target.matches(':focus-visible')) consider(target, true);
      },
      false,
    ],
    ['focusout', hide, false],
    // Whoever presses, types or scrolls is past reading, and Escape is for the layer below.
    ['pointerdown', drop, true],
    ['keydown', drop, true],
    ['scroll', drop, true],
    ['resize', drop, true],
  ];
  for (const [name, listener, capture] of listeners) window.addEventListener(name, listener, { capture });
  return () => {
    clearTimeout(timer);
    for (const [name, listener, capture] of listeners) window.removeEventListener(name, listener, { capture });
  };
}
